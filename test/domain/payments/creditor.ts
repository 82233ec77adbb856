import t from 'tap'
import {
  creditorIbanError,
  creditorIdError,
  creditorNameError,
} from '../../../src/domain/payments/creditor.ts'

t.test('the check digits of a creditor identifier do not cover the business code', async (t) => {
  for (const id of [
    'DE98ZZZ09999999999',
    'DE98ABC09999999999',
    'de98 zzz 0999 9999 999',
    'AT61ZZZ01234567890',
    'ES50ZZZM23456789',
  ]) {
    t.equal(creditorIdError(id), undefined, id)
  }
})

t.test('a wrong creditor identifier is refused with its reason', async (t) => {
  for (const [id, reason] of [
    ['DE97ZZZ09999999999', /correct check digits/],
    ['DE98ZZZ09999999998', /correct check digits/],
    ['DE98ZZZ0999999999', /18 characters.* has 17/],
    ['98ZZZ09999999999', /such as DE98/],
    ['', /such as DE98/],
    ['DE98ZZZ0999999999Ä', /such as DE98/],
  ] as const) {
    t.match(creditorIdError(id), reason, id)
  }
})

t.test('a creditor has an account in a country of SEPA', async (t) => {
  t.equal(creditorIbanError('DE02 1203 0000 0000 2020 51'), undefined)
  t.match(creditorIbanError('DE02120300000000202052'), /checksum/)
  t.match(creditorIbanError('BR1800360305000010009795493C1'), /BR is not/)
})

t.test('the name of a creditor fits into a file without being shortened', async (t) => {
  t.equal(creditorNameError('Ä'.repeat(35)), undefined)
  t.match(creditorNameError('Ä'.repeat(36)), /has 72/)
  t.match(creditorNameError(' '), /must be the name/)
})
