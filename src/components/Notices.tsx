import { useAccess } from '@umijs/max';
import type { Topic } from '#contract/stream';
import { useStream } from '@/services/useStream';
import { hearNotice } from './hearNotice';

const OWN: Topic[] = ['notice'];
const EVERYBODYS: Topic[] = ['notice', 'notice:all'];

/** Shows on every screen what the server has to tell; a master hears of everybody's hedges. */
export function Notices() {
  const { isMaster } = useAccess();
  useStream(isMaster ? EVERYBODYS : OWN, (event) => {
    if (event.name === 'notice') hearNotice(event.data);
  });
  return null;
}
