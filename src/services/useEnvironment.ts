import { useEffect, useState } from 'react';
import { type Environment, service } from '#contract/service';
import { call } from './call';

/** What the pages to sign in and to register need to know of the server; undefined until it is known. */
export function useEnvironment(): Environment | undefined {
  const [environment, setEnvironment] = useState<Environment>();
  useEffect(() => {
    // Without an answer they are what they are on most servers.
    call(service.environment, {}).then(setEnvironment, () => {});
  }, []);
  return environment;
}
