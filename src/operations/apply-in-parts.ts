import { type FieldErrors, Problem, validationProblem } from '../domain/problem.ts'
import type { WireCooperativeDefinition } from '../wire/cooperative-definition.ts'
import type { RenderedFixtureChange } from '../wire/fixture-changes.ts'
import type { WireFixtureFile } from '../wire/fixture-file.ts'
import {
  divideCatalogue,
  divideFixtures,
  type FixtureKind,
  type FixturePart,
  findRepeats,
  shiftIndex,
  withoutImages,
} from '../wire/fixture-parts.ts'
import { WireProblem } from '../wire/problems.ts'

export interface ApplyInput extends WireFixtureFile {
  readonly dry_run?: boolean | undefined
  readonly past?: boolean | undefined
}

type Counts = Readonly<Record<FixtureKind, number>>

interface Applied<Client, Webhook> {
  readonly created: Counts
  readonly updated: Counts
  readonly unchanged: Counts
  readonly clients: readonly Client[]
  readonly webhooks: readonly Webhook[]
  readonly changes?: RenderedFixtureChange[]
}

/** The number of records that `onPart` will count; 0 if the file is a single part. */
export function countSteps({ dry_run: dryRun, ...file }: ApplyInput): number {
  const parts = divideFixtures(file)
  const records = parts.reduce((sum, { size }) => sum + size, 0)
  return parts.length === 1 ? 0 : records * (dryRun ? 1 : 2)
}

interface Progress {
  /** Called after each check and each application of a part, with its number of records. */
  readonly onPart?: (records: number) => void
}

/** Nobody corrects more errors in one go. */
const mostErrors = 50

/**
 * Applies a file in parts that are each whole. All parts are checked before the first one is applied, so that a file
 * that contradicts itself or the store changes nothing. If the application stops, the parts so far remain; the next one
 * finds them unchanged and applies the others.
 * @param apply applies one part, or checks it
 */
export async function applyInParts<Client, Webhook>(
  { dry_run: dryRun, past, ...file }: ApplyInput,
  apply: (input: ApplyInput) => Promise<Applied<Client, Webhook>>,
  { onPart }: Progress = {},
): Promise<Applied<Client, Webhook>> {
  const parts = divideFixtures(file)
  const [only] = parts
  if (parts.length === 1 && only) {
    const applied = await apply({ ...only.file, dry_run: dryRun, past })
    onPart?.(only.size)
    return applied
  }
  const checked = await checkParts(file, parts, async (part) => {
    const found = await apply({ ...part.file, ...contextOf(part), dry_run: true, past })
    onPart?.(part.size)
    const { changes: _, ...counts } = found
    return dryRun ? found : counts
  })
  if (dryRun) return merge(checked.map(({ part, applied }) => ownOf(part, applied)))
  const done: Applied<Client, Webhook>[] = []
  for (const [index, { part, applied: found }] of checked.entries()) {
    // The first part is applied in any case, so that the audit has an entry.
    const isDue = index === 0 || changesAnything(part, found)
    const applied = isDue
      ? await apply({ ...part.file, past }).catch((error) => {
          throw stoppedAt(relocated(error, part), index, parts.length)
        })
      : found
    onPart?.(part.size)
    done.push({ ...ownOf(part, applied) })
  }
  const { changes: _, ...merged } = merge(done)
  return merged

  /** A check does not see what earlier parts would store, so it gets the cooperatives of its orders. */
  function contextOf({ cooperatives }: FixturePart): WireFixtureFile {
    if (cooperatives.size === 0) return {}
    return { cooperatives: [...withoutImages(file.cooperatives, cooperatives)] }
  }
}

interface CheckedPart<Client, Webhook> {
  readonly part: FixturePart
  readonly applied: Applied<Client, Webhook>
}

/** Collects the errors of all parts, because people correct a file in one go. */
async function checkParts<Client, Webhook>(
  file: WireFixtureFile,
  parts: readonly FixturePart[],
  check: (part: FixturePart) => Promise<Applied<Client, Webhook>>,
): Promise<readonly CheckedPart<Client, Webhook>[]> {
  let errors = findRepeats(file, mostErrors)
  let isCatalogueValid = true
  const checked: CheckedPart<Client, Webhook>[] = []
  let left: readonly FixturePart[] = [...wholeCatalogueOf(file, parts), ...parts]
  while (left.length > 0 && Object.keys(errors).length < mostErrors) {
    const some = left.slice(0, checkedTogether)
    const outcomes = await Promise.allSettled(some.map(check))
    for (const [index, outcome] of outcomes.entries()) {
      const part = some[index] as FixturePart
      if (outcome.status === 'rejected') {
        errors = { ...errors, ...errorsOf(relocated(outcome.reason, part)) }
        isCatalogueValid &&= !part.counted.includes('cooperatives')
      } else if (part.size > 0) checked.push({ part, applied: outcome.value })
    }
    left = left.slice(checkedTogether).filter(isCheckable)
  }
  const entries = Object.entries(errors).slice(0, mostErrors)
  if (entries.length === 0) return checked
  const { code, message, extra } = validationProblem(Object.fromEntries(entries))
  throw new WireProblem(code, message, extra)

  /** A part with orders is checked together with their cooperatives, whose errors are known already. */
  function isCheckable({ cooperatives }: FixturePart): boolean {
    return isCatalogueValid || cooperatives.size === 0
  }
}

/** A database reads for one check while this program works on the other. */
const checkedTogether = 2

/** Throws anything but a list of invalid fields. */
function errorsOf(error: unknown): FieldErrors {
  const isList = error instanceof Problem && error.code === 'VALIDATION_ERROR'
  if (isList && error.extra.errors) return error.extra.errors
  throw error
}

/** Cooperatives of different parts may contradict each other. Images are in no contradiction. */
function wholeCatalogueOf(
  { cooperatives }: WireFixtureFile,
  parts: readonly FixturePart[],
): readonly FixturePart[] {
  if (parts.filter(({ counted }) => counted.includes('cooperatives')).length < 2) return []
  const file = { cooperatives: [...withoutImages(cooperatives)] }
  const placeOf = (path: string) => path
  return [{ file, counted: ['cooperatives'], size: 0, cooperatives: new Set(), placeOf }]
}

interface ImportInput {
  readonly cooperatives: WireCooperativeDefinition[]
  readonly keep_absent?: boolean | undefined
  readonly dry_run?: boolean | undefined
}

interface Imported<Cooperative> {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly cooperatives: readonly Cooperative[]
  readonly changes?: RenderedFixtureChange[]
}

/**
 * Imports a catalogue in parts that are each whole. First all definitions are checked together, and then each part with
 * its images.
 */
export async function importInParts<Cooperative>(
  { cooperatives, keep_absent, dry_run }: ImportInput,
  call: (input: ImportInput) => Promise<Imported<Cooperative>>,
): Promise<Imported<Cooperative>> {
  const parts = divideCatalogue(cooperatives)
  if (parts.length < 2) return call({ cooperatives, keep_absent, dry_run })
  await call({ cooperatives: [...withoutImages(cooperatives)], keep_absent, dry_run: true })
  const checked = await importAll({ dry_run: true })
  if (dry_run) return joinImported(checked)
  const { changes: _, ...imported } = joinImported(await importAll({}))
  return imported

  async function importAll(how: Pick<ImportInput, 'dry_run'>) {
    const done: Imported<Cooperative>[] = []
    let first = 0
    for (const [index, part] of parts.entries()) {
      const offset = first
      const placeOf = (path: string) => shiftIndex(path, 'cooperatives', (at) => at + offset)
      const input = { cooperatives: [...part], keep_absent, ...how }
      const { changes = [], ...counts } = await call(input).catch((error) => {
        throw stoppedAt(relocated(error, { placeOf }), how.dry_run ? 0 : index, parts.length)
      })
      done.push({ ...counts, changes: changes.map((one) => ({ ...one, path: placeOf(one.path) })) })
      first += part.length
    }
    return done
  }
}

function joinImported<Cooperative>(parts: readonly Imported<Cooperative>[]): Imported<Cooperative> {
  const add = (outcome: 'created' | 'updated' | 'unchanged') =>
    parts.reduce((sum, { [outcome]: count }) => sum + count, 0)
  return {
    created: add('created'),
    updated: add('updated'),
    unchanged: add('unchanged'),
    cooperatives: parts.flatMap((each) => each.cooperatives),
    changes: parts.flatMap(({ changes = [] }) => changes),
  }
}

/** The same problem with the paths of the whole file. */
function relocated(error: unknown, { placeOf }: Pick<FixturePart, 'placeOf'>): unknown {
  if (!(error instanceof Problem) || !error.extra.errors) return error
  const places = Object.entries(error.extra.errors).map(([path, fault]) => [placeOf(path), fault])
  const errors: FieldErrors = Object.fromEntries(places)
  const message =
    error.code === 'VALIDATION_ERROR' ? validationProblem(errors).message : error.message
  return new WireProblem(error.code, message, { ...error.extra, errors })
}

/** A part was refused although all were valid before: the store or its service has changed meanwhile. */
export class PartlyApplied extends WireProblem {
  /** What is stored, and what to do. */
  readonly advice: string

  constructor({ code, message, extra }: Problem, advice: string) {
    super(code, `${message} ${advice}`, extra)
    this.advice = advice
  }
}

function stoppedAt(error: unknown, applied: number, parts: number): unknown {
  if (!(error instanceof Problem) || applied === 0) return error
  const advice = `${applied} of ${parts} parts are applied. To apply the others, apply the same files again.`
  return new PartlyApplied(error, advice)
}

function changesAnything<Client, Webhook>(
  { counted }: FixturePart,
  { created, updated }: Applied<Client, Webhook>,
): boolean {
  return counted.some((kind) => created[kind] + updated[kind] > 0)
}

/** Leaves out the records that a part only names. */
function ownOf<Client, Webhook>(
  { counted, placeOf }: FixturePart,
  { created, updated, unchanged, changes, ...minted }: Applied<Client, Webhook>,
): Applied<Client, Webhook> {
  const own = (counts: Counts) =>
    Object.fromEntries(
      Object.entries(counts).map(([kind, count]) => [
        kind,
        counted.includes(kind as FixtureKind) ? count : 0,
      ]),
    ) as Counts
  const ownChanges = changes
    ?.filter(({ kind }) => counted.includes(`${kind}s`))
    .map((change) => ({ ...change, path: placeOf(change.path) }))
  return {
    ...minted,
    created: own(created),
    updated: own(updated),
    unchanged: own(unchanged),
    ...(ownChanges && { changes: ownChanges }),
  }
}

function merge<Client, Webhook>(
  parts: readonly Applied<Client, Webhook>[],
): Applied<Client, Webhook> {
  const add = (outcome: 'created' | 'updated' | 'unchanged') => {
    const kinds = Object.keys(parts[0]?.[outcome] ?? {}) as FixtureKind[]
    const count = (kind: FixtureKind) =>
      parts.reduce((sum, { [outcome]: counts }) => sum + counts[kind], 0)
    return Object.fromEntries(kinds.map((kind) => [kind, count(kind)])) as Counts
  }
  return {
    created: add('created'),
    updated: add('updated'),
    unchanged: add('unchanged'),
    clients: parts.flatMap(({ clients }) => clients),
    webhooks: parts.flatMap(({ webhooks }) => webhooks),
    changes: parts.flatMap(({ changes = [] }) => changes),
  }
}
