import { errorsOf, type FieldFaults } from '../field-faults.ts'
import type { Parts } from '../parts.ts'
import type { FieldErrors } from '../problem.ts'
import { isInFuture, type Timestamp } from '../timestamp.ts'
import { isBic } from './bic.ts'
import { birthDateFault } from './birth-date.ts'
import { isEmail } from './email.ts'
import { ibanFault } from './iban.ts'
import type { BankAccount } from './profile.ts'
import type { ConsentRequest, ProfileRequest } from './profile-request.ts'

/** Everything that is wrong with a profile, under the paths of DECISIONS.md, error keys. */
export function profileFaults(request: Parts<ProfileRequest>, now: Timestamp): FieldErrors {
  const { email, birthDate, bankAccount, consents } = request
  return errorsOf({
    'profile.email': email != null && emailFault(email),
    'profile.birth_date': birthDate != null && birthDateFault(birthDate, now),
    ...(bankAccount && bankAccountFaults(bankAccount)),
    ...consentFaults('terms', consents?.terms, now),
    ...consentFaults('privacy', consents?.privacy, now),
    ...consentFaults('data_sharing', consents?.dataSharing, now),
    ...consentFaults('representation_authorization', consents?.representationAuthorization, now),
    ...representationFaults(request),
  })
}

export function emailFault(email: string): string | undefined {
  return isEmail(email) ? undefined : 'must be an e-mail address'
}

function bankAccountFaults({ iban, bic }: Parts<BankAccount>): FieldFaults {
  return {
    'profile.bank_account.iban': iban !== undefined && ibanFault(iban),
    'profile.bank_account.bic':
      bic != null &&
      !isBic(bic) &&
      'must be a BIC: 8 or 11 characters, the fifth and sixth of which are the code of a country',
  }
}

function consentFaults(
  name: string,
  consent: Parts<ConsentRequest> | undefined,
  now: Timestamp,
): FieldFaults {
  return { [`profile.consents.${name}.given_at`]: consent && givenAtFault(consent, now) }
}

function givenAtFault(
  { given, givenAt }: Parts<ConsentRequest>,
  now: Timestamp,
): string | undefined {
  if (givenAt == null) return undefined
  if (given === false) return 'must be left out when given is false'
  return isInFuture(givenAt, now) ? 'must not be in the future' : undefined
}

export const representationPath = 'profile.consents.representation_authorization.given'

function representationFaults({ company, consents }: Parts<ProfileRequest>): FieldFaults {
  const isBaseless = consents?.representationAuthorization?.given && company === null
  return { [representationPath]: isBaseless && 'must not be true without a company section' }
}
