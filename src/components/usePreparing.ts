import { service } from '#contract/service';
import { useCall } from '@/services/useCall';

/** Why figures of accounts are not shown yet, while the past of a demo is still made; else undefined. */
export function usePreparing(): string | undefined {
  const { data } = useCall(service.environment, {});
  return data?.preparing ? '演示交易还在生成，完成后显示' : undefined;
}
