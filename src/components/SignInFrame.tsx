import { type ReactNode, useEffect } from 'react';
import { SCREEN_TARGET } from './screenTarget';

interface SignInFrameProps {
  title: string;
  children: ReactNode;
}

/**
 * The frame of the login and register pages: mark, name, and a card; no menu, no header. The forms in it are antd's own:
 * ProForm brings 44 kB more to the first page that anybody loads (289 kB of scripts in place of 245).
 */
export function SignInFrame({ title, children }: SignInFrameProps) {
  useEffect(() => {
    document.title = `${title} - Hedge Console`;
  }, [title]);
  return (
    <main {...SCREEN_TARGET} className="sign-in">
      <div className="sign-in-card">
        <div className="sign-in-brand">
          <img src="/logo.svg" alt="" width={40} height={40} />
          <div>
            <div className="sign-in-name">Hedge Console</div>
            <div className="soft">中性选币 · 多空对冲 · 回测</div>
          </div>
        </div>
        <h1 className="sign-in-title">{title}</h1>
        {isPlain(window.location) && (
          <p className="sign-in-notice" role="note">
            连接没有加密（http）：密码在途中可被看到，请改用 https 地址
          </p>
        )}
        {children}
      </div>
    </main>
  );
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether what is typed leaves this machine unencrypted. */
const isPlain = ({ protocol, hostname }: Location): boolean => protocol === 'http:' && !LOOPBACK.test(hostname);
