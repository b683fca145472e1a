import { ProForm } from '@ant-design/pro-components';
import type { FormItemProps } from 'antd';
import { Explained } from '@/components/Explained';

interface FieldProps extends Omit<FormItemProps, 'label' | 'tooltip'> {
  label: string;
  /** What the label stands for, on demand. */
  help?: string;
}

/**
 * One field with its label and what that means. The widgets are antd's own: pro-components' ready fields bring every
 * value type along, whether a form uses it or not.
 */
export const Field = ({ label, help, ...item }: FieldProps) => (
  <ProForm.Item {...item} label={help === undefined ? label : <Explained text={help}>{label}</Explained>} />
);
