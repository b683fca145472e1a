import { CloseCircleFilled } from '@ant-design/icons';

/** A choice that can be taken back: antd has no Chinese name for the button that does so. */
export const CLEARABLE = { clearIcon: <CloseCircleFilled />, label: '清除' };
