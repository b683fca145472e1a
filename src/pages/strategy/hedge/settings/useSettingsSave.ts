import { useState } from 'react';
import * as REFUSALS from '#contract/codes';
import type { FieldErrors } from '#contract/envelope';
import { type HedgeDesk, type HedgeSettings, hedgeConfig } from '#contract/kinds/hedge/config';
import { toast } from '@/components/toast';
import type { Chosen } from '@/opening/OpeningBody';
import { resumedWords } from '@/opening/resumeChoice';
import { CallError } from '@/services/CallError';
import { call } from '@/services/call';
import { WriteNames } from '@/services/WriteNames';

/** What is to open by a save, as it was chosen. */
export type Saving = Pick<Chosen, 'opens' | 'words'> & { resume?: boolean };

interface Outcome {
  saving: boolean;
  /** Why it was refused, where no field is to blame. */
  refusal: string | undefined;
  fields: FieldErrors['fields'];
  /** What somebody saved in between. */
  conflict: HedgeDesk | undefined;
}

const NOTHING: Outcome = { saving: false, refusal: undefined, fields: [], conflict: undefined };

const isOvertaken = ({ code }: CallError) => code === 409 || code === REFUSALS.hedgeConfigExists.code;

async function outcomeOf(error: unknown): Promise<Outcome> {
  if (!(error instanceof CallError)) throw error;
  if (isOvertaken(error)) {
    try {
      return { ...NOTHING, conflict: await call(hedgeConfig.desk, {}) };
    } catch {
      return { ...NOTHING, refusal: `${error.message}；对方的配置暂时读不到，请重试` };
    }
  }
  if (error.fields.length > 0) return { ...NOTHING, fields: error.fields };
  return { ...NOTHING, refusal: error.text };
}

/** Saves settings: the first time (version 0) or over the version that was read. */
export function useSettingsSave() {
  const [outcome, setOutcome] = useState(NOTHING);
  const [names] = useState(() => new WriteNames());

  /** Whether it was saved; otherwise the outcome says why not. */
  const save = async (settings: HedgeSettings, version: number, chosen?: Saving): Promise<boolean> => {
    setOutcome({ ...outcome, saving: true, refusal: undefined });
    try {
      if (version === 0) {
        await names.run(settings, (idempotencyKey) => call(hedgeConfig.create, { body: settings }, { idempotencyKey }));
        toast.success('已保存');
      } else {
        const resume = chosen?.resume === true;
        const body = { ...settings, version, ...(resume && { resume }), ...chosen?.opens };
        const { resumed } = await names.run(body, (idempotencyKey) =>
          call(hedgeConfig.update, { body }, { idempotencyKey }),
        );
        const words = chosen?.words ?? '';
        toast.success(resume ? resumedWords(resumed, words) : `已保存：${words}`);
      }
      setOutcome(NOTHING);
      return true;
    } catch (error) {
      setOutcome(await outcomeOf(error));
      return false;
    }
  };

  return { ...outcome, save, forget: () => setOutcome(NOTHING) };
}
