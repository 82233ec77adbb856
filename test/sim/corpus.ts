import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { buildWorker } from '../../sim/build.ts'
import { startWorker } from '../../sim/campaign.ts'
import type { CommandTask } from '../../sim/fuzz/command-worker.ts'
import type { Corpus } from '../../sim/fuzz/corpus.ts'
import type { FuzzResult } from '../../sim/fuzz/result.ts'
import type { FuzzTask } from '../../sim/fuzz/worker.ts'

const root = join(import.meta.dirname, '..', '..')
const corpus: Corpus = JSON.parse(readFileSync(join(root, 'sim/fuzz/corpus.json'), 'utf8'))

async function replay<Task extends object>(t: Test, name: string, tasks: readonly Task[]) {
  const path = await buildWorker(root, {
    entry: `sim/fuzz/${name}.ts`,
    name: `corpus-${name}-${process.pid}`,
  })
  t.teardown(() => rmSync(path))
  const worker = startWorker<Task, FuzzResult>(path)
  t.teardown(() => worker.end())
  for (const task of tasks) t.strictSame((await worker.run(task))?.findings, [])
}

t.test('odd requests get the answers that they should get', { timeout: 300_000 }, (t) => {
  const task: FuzzTask = { kind: 'corpus', requests: corpus.requests }
  return replay(t, 'worker', [task])
})

t.test('odd words of a command end with a documented exit code', { timeout: 300_000 }, (t) => {
  const tasks: CommandTask[] = [{ kind: 'corpus', commands: corpus.commands }, { kind: 'end' }]
  return replay(t, 'command-worker', tasks)
})
