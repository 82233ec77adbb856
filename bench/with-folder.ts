import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Processes that write there are killed at the same time.
const guardScript = `read -r _
sleep 1
rm -rf "$1"`

/** A temporary folder, which is removed however this process ends. */
export async function withFolder<Result>(
  work: (directory: string) => Promise<Result>,
): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'coopshare-bench-'))
  const guard = spawn('sh', ['-c', guardScript, 'sh', directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  guard.unref()
  const pipe = guard.stdin as Socket
  pipe.unref()
  try {
    return await work(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
    pipe.end()
  }
}
