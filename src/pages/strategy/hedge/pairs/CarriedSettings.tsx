import { Alert, Checkbox } from 'antd';
import type { HedgeSettings } from '#contract/kinds/hedge/config';
import { settingsForm } from '../settings/settingsForm';
import type { Carried } from './EntryPlan';

/** What of a wish can become a setting and is none yet; a leverage beyond the bounds is left out. */
export function carriedInto(settings: HedgeSettings, { leverage, ratio }: Carried): Carried {
  const { minimum = 0, maximum = Number.POSITIVE_INFINITY } = settingsForm.facts('leverage');
  const fits = leverage !== undefined && leverage >= minimum && leverage <= maximum;
  return {
    ...(fits && leverage !== settings.leverage ? { leverage } : {}),
    ...(ratio !== undefined && ratio !== settings.ratio ? { ratio } : {}),
  };
}

interface CarriedSettingsProps {
  settings: HedgeSettings;
  /** As the wish has it. */
  wish: Carried;
  taken: boolean;
  onTake: (taken: boolean) => void;
}

/** What a backtest brought along beside the pair, against what is saved: the reader decides whether it is taken over. */
export function CarriedSettings({ settings, wish, taken, onTake }: CarriedSettingsProps) {
  const carried = carriedInto(settings, wish);
  const names = settingsForm.names.filter((name) => name in carried);
  const { minimum, maximum } = settingsForm.facts('leverage');
  const keepsOwnLeverage =
    wish.leverage !== undefined && wish.leverage !== settings.leverage && !('leverage' in carried);
  if (names.length === 0 && !keepsOwnLeverage) return null;
  const after = { ...settings, ...carried };
  return (
    <Alert
      type="info"
      title="回测所用与对冲配置不同"
      description={
        <>
          {names.map((name) => (
            <div key={name}>
              {settingsForm.label(name)}：{settingsForm.text(settings, name)} → {settingsForm.text(after, name)}
            </div>
          ))}
          {keepsOwnLeverage && (
            <div>
              回测杠杆 {wish.leverage} 倍在配置的范围（{minimum} – {maximum}）之外，没有带入。
            </div>
          )}
          {names.length > 0 && (
            <Checkbox checked={taken} onChange={({ target }) => onTake(target.checked)}>
              添加时把对冲配置改为回测所用（之后的对冲单都按它开）
            </Checkbox>
          )}
        </>
      }
    />
  );
}
