import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import type { Creditor, CreditorTerms } from '../../domain/payments/creditor.ts'
import { subjects } from '../../ports/subjects.ts'
import { requireCooperative } from '../cooperatives/cooperatives.ts'
import type { Service } from '../service.ts'
import { openMissingPayments } from './open-payments.ts'

/** The creditor with its BIC, which may be asked from another server. */
export async function deriveCreditor(
  { bankDirectory }: Pick<Service, 'bankDirectory'>,
  terms: CreditorTerms,
): Promise<Creditor> {
  const { bic } = await bankDirectory.lookUp(terms.iban)
  return { ...terms, bic }
}

/**
 * Sets for whom payments of the cooperative are collected. Collections that exist keep their creditor. Approved orders
 * that have no payment get one.
 */
export async function setCreditor(
  service: Service,
  idOrKey: string,
  terms: CreditorTerms,
): Promise<Cooperative> {
  const creditor = await deriveCreditor(service, terms)
  const now = service.clock.now()
  const changed = await service.store.write(subjects.all('cooperatives'), async (records) => {
    const cooperative = { ...(await requireCooperative(records, idOrKey)), creditor }
    const stamped = { ...cooperative, updatedAt: now }
    await records.cooperatives.put(stamped)
    return stamped
  })
  await openMissingPayments(service, changed)
  return changed
}
