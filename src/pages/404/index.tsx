import { NotFound } from '@/components/NotFound';

export default function UnknownPath() {
  return (
    <main className="whole-screen">
      <NotFound />
    </main>
  );
}
