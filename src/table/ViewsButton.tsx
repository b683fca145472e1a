import { StarOutlined } from '@ant-design/icons';
import { useAccess } from '@umijs/max';
import { Button } from 'antd';
import { Suspense, useState } from 'react';
import { late } from '@/components/late';

const Views = late(() => import('./Views'));

/** The filters and the order of a list under names of the reader's own; a visitor has no place to keep them. */
export function ViewsButton() {
  const { signedIn } = useAccess();
  const [asked, setAsked] = useState(false);
  if (!signedIn) return null;
  const button = <Button type="text" icon={<StarOutlined />} aria-label="视图" onClick={() => setAsked(true)} />;
  return asked ? (
    <Suspense fallback={button}>
      <Views onClose={() => setAsked(false)}>{button}</Views>
    </Suspense>
  ) : (
    button
  );
}
