import type { Timestamp } from '../timestamp.ts'
import type { ConsentName, Profile } from './profile.ts'

export interface ConsentRequest {
  readonly given: boolean
  /** null: to be stamped at receipt. */
  readonly givenAt: Timestamp | null
}

/** A profile as a partner sends it: its shape has been checked, its meaning has not. */
export interface ProfileRequest extends Omit<Profile, 'consents'> {
  readonly email: string | null
  readonly consents: Readonly<Record<ConsentName, ConsentRequest>>
}
