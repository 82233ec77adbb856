import { spawn } from 'node:child_process'

/** Programs that open an address in the browser that the user has chosen. The first one that exists is used. */
const openers: Partial<Record<NodeJS.Platform, readonly (readonly string[])[]>> = {
  darwin: [['open']],
  win32: [['rundll32', 'url.dll,FileProtocolHandler']],
}
const otherOpeners = [['xdg-open'], ['wslview']]

/** A program that still runs after this time is the browser itself. */
const longestMs = 3000

/** @returns why no browser was opened; undefined if one was */
export async function openInBrowser(url: string): Promise<string | undefined> {
  const candidates = openers[process.platform] ?? otherOpeners
  for (const [program = '', ...words] of candidates) {
    const outcome = await run(program, [...words, url])
    if (outcome !== 'missing') return outcome
  }
  return `there is no ${candidates.map(([program]) => program).join(' or ')} on this machine`
}

function run(program: string, words: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    // The browser must not end with this command, nor write to its output.
    const child = spawn(program, words, { detached: true, stdio: 'ignore' })
    child.unref()
    const timer = setTimeout(() => resolve(undefined), longestMs)
    const end = (outcome: string | undefined) => {
      clearTimeout(timer)
      resolve(outcome)
    }
    child.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      end(code === 'ENOENT' ? 'missing' : message),
    )
    child.once('exit', (code) => end(code === 0 ? undefined : `${program} failed (${code})`))
  })
}
