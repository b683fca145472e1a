import { Modal } from 'antd';
import { FlattenReport } from './FlattenReport';

/** Opens the report of a request to close everything. */
export function showReport(id: string, onClose?: () => void): void {
  Modal.confirm({
    title: '平仓报告',
    icon: null,
    footer: null,
    closable: true,
    maskClosable: true,
    width: 'min(1080px, calc(100vw - 32px))',
    content: <FlattenReport id={id} />,
    ...(onClose && { afterClose: onClose }),
  });
}
