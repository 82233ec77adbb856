import type { CooperativeDefinition } from '../../domain/cooperatives/cooperative-definition.ts'
import type { Service } from '../service.ts'
import { type UpsertedCooperative, upsertCooperatives } from './upsert-cooperatives.ts'

/** All or nothing; what is already as its definition says is not touched. */
export function importCooperatives(
  { store, clock }: Service,
  definitions: readonly CooperativeDefinition[],
): Promise<UpsertedCooperative[]> {
  return store.write('catalogue', (records) =>
    upsertCooperatives(records, definitions, clock.now()),
  )
}
