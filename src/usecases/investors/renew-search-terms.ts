import type { StoredInvestor } from '../../domain/investors/investor.ts'
import type { Records } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import type { Service } from '../service.ts'
import { openInvestor } from './investors.ts'
import { readSearchTerms, searchVersion } from './search-terms.ts'

type Renewed = Pick<Service, 'store' | 'vault'>

/** The maximum number of investors in one write, so that it takes only a few milliseconds. */
const recordsPerWrite = 50

/**
 * Makes the search terms of all investors again if an earlier program made them. Until then, searches find these investors
 * by their earlier terms. Safe to repeat and to run in several instances at the same time: the second
 * one finds nothing to change.
 */
export async function renewSearchTerms({ store, vault }: Renewed): Promise<void> {
  const settings = await store.read((records) => records.settings.get())
  if (settings === undefined || isPresent(settings)) return
  for (let after: string | undefined; ; ) {
    const found = await store.read(({ investors }) =>
      investors.list({ isOldestFirst: true, after, limit: recordsPerWrite }),
    )
    const last = found.at(-1)
    if (last === undefined) break
    await store.write(subjects.all('investors'), async (records) => {
      for (const one of found) await renewTerms(records, vault, one)
    })
    after = last.investorId
  }
  await store.write(subjects.all('settings'), async (records) => {
    const stored = await records.settings.get()
    if (stored && !isPresent(stored)) await records.settings.put({ ...stored, searchVersion })
  })
}

function isPresent({ searchVersion: stored = 1 }: { readonly searchVersion?: number }): boolean {
  return stored >= searchVersion
}

async function renewTerms(
  records: Records,
  vault: Service['vault'],
  { organizationId, investorId }: StoredInvestor,
): Promise<void> {
  const stored = await records.investors.get(organizationId, investorId)
  // An erased person has no key, and no terms.
  if (stored?.encryptedKey === undefined) return
  const investor = tryToOpen(vault, stored)
  if (investor === undefined) return
  const searchTerms = (await readSearchTerms(records, { vault })).ofInvestor(investor)
  if (searchTerms.join() === stored.searchTerms.join()) return
  await records.investors.put({ ...stored, searchTerms })
}

/** A person with damaged data keeps the terms. `store check` names the damage. */
function tryToOpen(vault: Service['vault'], stored: StoredInvestor) {
  try {
    return openInvestor(vault, stored)
  } catch {
    return undefined
  }
}
