import type { PushChannelName } from '#contract/pushChannel';
import type { Channel } from './channel';
import { dingtalk } from './dingtalk';
import { email } from './email';
import { feishu } from './feishu';
import { telegram } from './telegram';
import { wecom } from './wecom';

/** The adapter of each channel. */
export const CHANNELS: { [N in PushChannelName]: Channel<N> } = { telegram, feishu, dingtalk, wecom, email };
