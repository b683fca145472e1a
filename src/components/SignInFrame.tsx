import { type ReactNode, useEffect } from 'react';

interface SignInFrameProps {
  title: string;
  children: ReactNode;
}

/** The frame of the login and register pages: mark, name, and a card; no menu, no header. */
export function SignInFrame({ title, children }: SignInFrameProps) {
  useEffect(() => {
    document.title = `${title} - Hedge Console`;
  }, [title]);
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <div className="sign-in-brand">
          <img src="/logo.svg" alt="" width={40} height={40} />
          <div>
            <div className="sign-in-name">Hedge Console</div>
            <div className="soft">中性选币 · 多空对冲 · 回测</div>
          </div>
        </div>
        <h1 className="sign-in-title">{title}</h1>
        {children}
      </div>
    </main>
  );
}
