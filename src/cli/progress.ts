import type { SingleBar } from 'cli-progress'

/** Fewer are done before a bar has been seen. */
const worthABar = 20

/** A bar on stderr while a person watches many things being done; undefined when nobody would see it. */
export async function startProgress(total: number): Promise<SingleBar | undefined> {
  if (!process.stderr.isTTY || total < worthABar) return undefined
  const { default: cliProgress } = await import('cli-progress')
  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    format: '{bar} {value}/{total} · {eta_formatted} left',
    clearOnComplete: true,
  })
  bar.start(total, 0)
  return bar
}
