import { AssumptionBox } from './AssumptionBox';

interface HoursBoxProps {
  /** Planned hours. */
  value: number;
  onChange: (hours: number) => void;
}

/** How long every row is assumed to be held. */
export const HoursBox = (props: HoursBoxProps) => (
  <AssumptionBox label="计划持有" prefix="计划持有" suffix="小时" least={1} most={8760} width={168} {...props} />
);
