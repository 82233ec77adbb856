import t from 'tap'
import {
  ibanError,
  isBic,
  maskIban,
  toElectronicFormat,
} from '../../../src/domain/investors/bank-identifiers.ts'
import { birthDateError, isEmail } from '../../../src/domain/investors/profile.ts'
import { toTimestamp } from '../../../src/domain/timestamp.ts'

const now = toTimestamp(new Date('2026-11-20T12:00:00Z'))

t.test('an IBAN is read in the usual spellings, and its checksum is validated', async (t) => {
  for (const [title, text, expected] of [
    ['electronic form', 'DE89370400440532013000', 'DE89370400440532013000'],
    ['groups of four', 'DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['lower case', 'nl91abna0417164300', 'NL91ABNA0417164300'],
    ['wrong checksum', 'DE88370400440532013000', undefined],
    ['one digit short', 'DE8937040044053201300', undefined],
    ['letters where the country has digits', 'DE8937040044053201300A', undefined],
    ['a country without IBANs', 'US89370400440532013000', undefined],
    ['hyphens', 'DE89-3704-0044-0532-0130-00', undefined],
    ['a letter that becomes ASCII in upper case', 'DE8937040044053201300\u0131', undefined],
    ['digits of another script', 'DE\u0668\u066937040044053201300', undefined],
    ['nothing', '', undefined],
    ['spaces only', '    ', undefined],
  ] as const) {
    t.equal(ibanError(text) === undefined, expected !== undefined, title)
    if (expected !== undefined) t.equal(toElectronicFormat(text), expected, title)
  }
})

t.test('an IBAN is shown as its first four characters, **** and its last four', async (t) => {
  t.equal(maskIban('DE89370400440532013000'), 'DE89****3000')
  t.equal(maskIban('NO9386011117947'), 'NO93****7947', 'the shortest IBAN there is')
})

t.test('the format of a BIC is validated', async (t) => {
  for (const [text, expected] of [
    ['COBADEFF', true],
    ['COBADEFFXXX', true],
    ['cobadeff', true],
    ['COBADEF', false],
    ['COBADEFFXX', false],
    ['C0BADEFF', false],
    ['COBAZZFF', false],
    ['COBADEFF XXX', true],
    ['', false],
  ] as const) {
    t.equal(isBic(text), expected, text)
  }
})

t.test('birth_date is checked for plausibility [S-investors-6]', async (t) => {
  for (const [birthDate, fault] of [
    ['1984-02-29', undefined],
    ['2026-11-19', undefined],
    ['2026-11-20', 'must be in the past'],
    ['2026-11-21', 'must be in the past'],
    ['1906-11-20', undefined],
    ['1906-11-19', 'must be at most 120 years ago'],
    ['0001-01-01', 'must be at most 120 years ago'],
    ['1983-02-29', 'must be a day that exists, as yyyy-MM-dd'],
    ['1984-13-01', 'must be a day that exists, as yyyy-MM-dd'],
    ['29.02.1984', 'must be a day that exists, as yyyy-MM-dd'],
    ['1984-2-9', 'must be a day that exists, as yyyy-MM-dd'],
    ['1984-02-29T00:00:00Z', 'must be a day that exists, as yyyy-MM-dd'],
  ] as const) {
    t.equal(birthDateError(birthDate, now), fault, birthDate)
  }
})

t.test('the format of an e-mail address is validated', async (t) => {
  for (const [text, expected] of [
    ['frieda@mail.example', true],
    ["o'brien+shares@mail.co.example", true],
    ['jürgen@müller.example', true],
    ['frieda@xn--mller-kva.example', true],
    ['frieda', false],
    ['frieda@localhost', false],
    ['@mail.example', false],
    ['frieda@', false],
    ['frieda@mail..example', false],
    ['frieda@-mail.example', false],
    ['frieda@mail-.example', false],
    ['frieda@otto@mail.example', false],
    ['frieda mustermann@mail.example', false],
    ['Frieda <frieda@mail.example>', false],
    ['frieda@mail.example, otto@mail.example', false],
    [`${'a'.repeat(65)}@mail.example`, false],
    [`frieda@${'a'.repeat(64)}.example`, false],
  ] as const) {
    t.equal(isEmail(text), expected, text)
  }
})
