import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildWorker } from './build.ts'
import { runCampaign } from './campaign.ts'

const folder = 'sim/planted'

export interface Planting {
  /** The names of the faults to plant. An empty list means all faults. */
  readonly names: readonly string[]
  readonly firstSeed: number
  /** The maximum number of seeds for one fault. */
  readonly most: number
}

/**
 * Plants one fault after the other in a copy of the sources, and counts the seeds that each fault
 * needs until it is found.
 */
export async function findPlanted({ names, firstSeed, most }: Planting): Promise<number> {
  const all = listFaults()
  const chosen = all.filter(
    (name) => names.length === 0 || names.includes(name.replace(/\.patch$/, '')),
  )
  let missed = 0
  console.log('| Fault | Seeds | What was noticed |\n|---|---|---|')
  for (const name of chosen) {
    const found = await find(name, firstSeed, most)
    if (!found) missed += 1
    const cell = found ? `${found.seeds} | ${found.violation}` : `not in ${most} | `
    console.log(`| ${titleOf(name)} | ${cell} |`)
  }
  console.log(
    `\n${chosen.length - missed} of ${chosen.length} planted faults were found, with seeds from ${firstSeed}.`,
  )
  return missed > 0 || chosen.length === 0 ? 1 : 0
}

function listFaults(): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.patch'))
    .sort()
}

/**
 * Every line of a patch must match. If lines near a fault have changed, somebody has to look
 * whether the fault is still the one that its title says.
 */
function plant(name: string, root: string, ...options: readonly string[]): void {
  const patch = join(process.cwd(), folder, name)
  // Below the folder of another repository, git would leave the files out without a word.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(root) }
  execFileSync('git', ['apply', ...options, patch], { cwd: root, env, stdio: 'pipe' })
}

/** Returns a line for each fault that cannot be planted in the present sources. */
export function findUnplantable(): readonly string[] {
  const faults = listFaults()
  if (faults.length === 0) return [`There is no fault in ${folder}.`]
  return faults.flatMap((name) => {
    try {
      plant(name, process.cwd(), '--check')
      return []
    } catch (error) {
      const reason = String((error as { stderr?: unknown }).stderr ?? error).trim()
      return `${join(folder, name)} does not apply. Plant the fault again in the present sources: ${reason}`
    }
  })
}

/** The first line of a patch is a sentence about its fault. */
function titleOf(name: string): string {
  return readFileSync(join(folder, name), 'utf8').split('\n')[0] ?? name
}

async function find(name: string, firstSeed: number, most: number) {
  const root = mkdtempSync(join(tmpdir(), 'coopshare-planted-'))
  try {
    for (const part of [
      'src',
      'sim',
      'fixtures/bank',
      'package.json',
      'tsconfig.json',
      'oclif.manifest.json',
    ]) {
      cpSync(part, join(root, part), { recursive: true })
    }
    symlinkSync(join(process.cwd(), 'node_modules'), join(root, 'node_modules'))
    plant(name, root)
    const worker = await buildWorker(root, { name })
    const campaign = await runCampaign({ worker, firstSeed, count: most, isForOne: true })
    rmSync(worker)
    const [first] = campaign.failed
    if (!first) return undefined
    const violation = (first.violations[0] ?? '').replaceAll('|', ' ').slice(0, 100)
    return { seeds: first.seed - firstSeed + 1, violation }
  } finally {
    rmSync(root, { recursive: true })
  }
}
