import { invalid } from './invalid.ts'

interface Flag {
  readonly type: string
  readonly env?: string | undefined
}

const yesOrNo = /^(1|true|y|yes|0|false|n|no)?$/i

/** oclif takes whatever it does not know for a no: `COOPSHARE_HTTPS=on` would serve http. */
export function requireSwitches(
  flags: Readonly<Record<string, Flag>>,
  variables: Readonly<Record<string, string | undefined>>,
): void {
  for (const { type, env } of Object.values(flags)) {
    const text = type === 'boolean' && env !== undefined && variables[env]
    if (text && !yesOrNo.test(text)) throw invalid(`${env} has to be true or false, not "${text}".`)
  }
}
