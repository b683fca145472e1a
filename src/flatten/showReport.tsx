import { openDialog } from '@/components/openDialog';
import { FlattenReport } from './FlattenReport';

/** Opens the report of a request to close everything. */
export const showReport = (id: string, onClose?: () => void): void =>
  openDialog('平仓报告', 1080, () => <FlattenReport id={id} />, {
    maskClosable: true,
    ...(onClose && { afterClose: onClose }),
  });
