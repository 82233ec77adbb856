import { randomBytes } from 'node:crypto'
import { Problem } from '../../domain/problem.ts'
import { beginCursor, type Cursor, readCursor, writeCursor } from './cursor.ts'

export interface CursorToOpen {
  readonly path: string
  readonly organizationId: string
  readonly forwardTo: string
  /** Begins anew there. */
  readonly since: string | undefined
  /** Where a first one begins. */
  readonly now: string
}

export interface OpenedCursor {
  readonly path: string
  readonly cursor: Cursor
}

/** The one that is kept, or a first one, which is kept from then on. */
export async function openCursor(wanted: CursorToOpen): Promise<OpenedCursor> {
  const { path, organizationId: organization_id, forwardTo: forward_to, since } = wanted
  const kept = await readCursor(path)
  requireSameOrganization(path, kept, organization_id)
  const cursor = {
    organization_id,
    forward_to,
    signing_secret: kept?.signing_secret ?? `whsec_${randomBytes(32).toString('base64url')}`,
    after: since === undefined ? (kept?.after ?? null) : null,
    since: since ?? kept?.since ?? wanted.now,
  }
  if (!kept) return (await beginCursor(path, cursor)) ? { path, cursor } : openCursor(wanted)
  // A listener that runs may have gone on meanwhile.
  if (since !== undefined) await writeCursor(path, cursor)
  return { path, cursor }
}

function requireSameOrganization(path: string, kept: Cursor | undefined, wanted: string): void {
  if (!kept || kept.organization_id === wanted) return
  throw new Problem(
    'VALIDATION_ERROR',
    `${path} is the cursor of organisation ${kept.organization_id}. Name another file.`,
  )
}
