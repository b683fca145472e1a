import { CodeDialog } from './CodeDialog';
import { CreateUserDialog } from './CreateUserDialog';
import type { Dialog } from './centerContext';
import { ResetDialog } from './ResetDialog';
import { RoleDialog } from './RoleDialog';

interface UserDialogsProps {
  dialog: Dialog;
  onDialog: (dialog: Dialog | null) => void;
  /** The users are not what they were. */
  onChanged: () => void;
}

/** The dialog that is open about the users. */
export default function UserDialogs({ dialog, onDialog, onChanged }: UserDialogsProps) {
  const close = () => onDialog(null);
  const showCode = (code: (Dialog & { what: 'code' })['code']) => {
    onDialog({ what: 'code', code });
    onChanged();
  };
  switch (dialog.what) {
    case 'create':
      return <CreateUserDialog onCode={showCode} onClose={close} />;
    case 'reset':
      return <ResetDialog row={dialog.row} onCode={showCode} onClose={close} />;
    case 'code':
      return <CodeDialog code={dialog.code} onClose={close} />;
    case 'role':
      return (
        <RoleDialog
          row={dialog.row}
          onSaved={() => {
            close();
            onChanged();
          }}
          onClose={close}
        />
      );
  }
}
