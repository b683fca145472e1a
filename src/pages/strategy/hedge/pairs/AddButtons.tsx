import { Button } from 'antd';
import { HoldButton } from '@/components/HoldButton';

interface AddButtonsProps {
  onLeave: () => void;
  onAdd: (arm: boolean) => Promise<void>;
  saving: boolean;
  /** There is a pair the other way round. */
  again: boolean;
  opensNow: boolean;
}

/** Two ways to add a pair: to be entered, which has to be held where that costs money at once, or only to be kept. */
export function AddButtons({ onLeave, onAdd, saving, again, opensNow }: AddButtonsProps) {
  const still = again ? '仍然' : '';
  return (
    <>
      <Button onClick={onLeave}>取消</Button>
      <Button disabled={saving} danger={again} onClick={() => void onAdd(false)}>
        {still}添加，先不建仓
      </Button>
      {opensNow ? (
        <HoldButton loading={saving} onHeld={() => void onAdd(true)}>
          按住 1 秒：{still}添加并建仓
        </HoldButton>
      ) : (
        <Button type="primary" danger={again} loading={saving} onClick={() => void onAdd(true)}>
          {still}添加并建仓
        </Button>
      )}
    </>
  );
}
