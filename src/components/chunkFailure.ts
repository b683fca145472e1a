/** What webpack throws when a part of the console does not arrive. */
interface ChunkFailure extends Error {
  code?: string;
  /** The address that was asked for. */
  request?: string;
  type?: string;
}

export function isChunkFailure(error: Error): error is ChunkFailure {
  return error.name === 'ChunkLoadError' || (error as ChunkFailure).code === 'CSS_CHUNK_LOAD_FAILED';
}

/** What happened and what to do, for the screen. */
export function explainFailure(error: Error): { title: string; message: string } {
  if (!isChunkFailure(error)) return { title: '页面出错', message: '页面遇到意外错误，请重试；如仍出现请联系管理员' };
  if (error.type === 'timeout')
    return { title: '页面加载超时', message: '网络较慢，页面没有在规定时间内加载完成，请重试' };
  return { title: '页面加载失败', message: '页面的一部分没有加载成功，请检查网络后重试' };
}

const RELOADED = 'reloadedFor';

/** One reload for one missing file; a second would be the beginning of a loop. */
function isFirstTime(address: string): boolean {
  try {
    if (sessionStorage.getItem(RELOADED) === address) return false;
    sessionStorage.setItem(RELOADED, address);
    return true;
  } catch {
    return false;
  }
}

async function isGone(address: string): Promise<boolean> {
  try {
    const { status } = await fetch(address, { method: 'HEAD', cache: 'no-store' });
    return status === 404 || status === 410;
  } catch {
    // No network: a reload would lose the page that is still there.
    return false;
  }
}

/** After a new release the old parts are gone: the fresh page knows the new ones. */
export async function reloadOnceIfGone(
  { request }: ChunkFailure,
  reload = () => window.location.reload(),
): Promise<void> {
  if (request !== undefined && (await isGone(request)) && isFirstTime(request)) reload();
}
