// A process that fuzzes commands. It gets tasks from its parent and returns the result of each.
import { becomeProgram, fuzzCommands, removeFiles, replayCommands } from './commands.ts'
import type { CorpusCommand } from './corpus.ts'
import type { FuzzResult } from './result.ts'

export type CommandTask =
  | { readonly kind: 'commands'; readonly seed: number; readonly count: number }
  | { readonly kind: 'corpus'; readonly commands: readonly CorpusCommand[] }
  | { readonly kind: 'end' }

const ready = becomeProgram()

process.on('message', (task: CommandTask) => {
  void work(task).then((result) => process.send?.(result))
})

async function work(task: CommandTask): Promise<FuzzResult> {
  await ready
  try {
    if (task.kind === 'corpus') return await replayCommands(task.commands)
    if (task.kind === 'commands') return await fuzzCommands(task.seed, task.count)
    await removeFiles()
    return { tried: 0, outcomes: {}, findings: [] }
  } catch (error) {
    const fault = `the fuzzing fails: ${(error as Error).stack}`
    return { tried: 0, outcomes: {}, findings: [{ fault, input: null }] }
  }
}
