import type { Config } from '../config.ts'
import { reopenStore as reopen } from '../open-service.ts'
import { requireYes } from './confirm.ts'

/** @param isConfirmed the user has said so already, and is not asked */
export async function reopenStore(config: Config, isConfirmed: boolean) {
  const moved = await reopen(config, async ({ to, at }) => {
    if (!isConfirmed) await requireYes(questionFor(to, at))
    return true
  })
  return { reopened: moved !== null, moved }
}

function questionFor(to: string, at: string) {
  const warning = `This store was moved to ${to} at ${at}, and lacks what was written there since. If both are served, each gets orders that the other one lacks.`
  return {
    question: `${warning} Let it take writes again?`,
    instead: `${warning} Give --yes to let it take writes again.`,
  }
}
