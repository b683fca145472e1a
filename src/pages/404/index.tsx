import { NotFound } from '@/components/NotFound';

export default function UnknownPath() {
  return <NotFound />;
}
