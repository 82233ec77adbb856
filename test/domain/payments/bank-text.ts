import t from 'tap'
import { shortenBankText, toBankText } from '../../../src/domain/payments/bank-text.ts'

t.test('letters outside the character set of banks are transliterated', async (t) => {
  for (const [text, expected] of [
    ['Jürgen Größe', 'Juergen Groesse'],
    ['MÜLLER & SÖHNE', 'MUELLER + SOEHNE'],
    ['GROßMÜLLER', 'GROSSMUELLER'],
    ['Mül\u200bler\u00ad', 'Mueller'],
    ['Ångström', 'Angstroem'],
    ['Łukasz Źdźbło', 'Lukasz Zdzblo'],
    ['Søren Kjærgaard', 'Soren Kjaergaard'],
    ['Ayşe Yılmaz', 'Ayse Yilmaz'],
    ['Γιώργος', 'Giorgos'],
    ['Владимир', 'Vladimir'],
    ['Zoe\u0308', 'Zoe'],
    ['Ju\u0308rgen', 'Juergen'],
    ['O’Neil – „Sonne“ €', "O'Neil - 'Sonne' EUR"],
    ['a_b;c@d', 'a-b,c(at)d'],
    ['  two   spaces\n', 'two spaces'],
  ] as const) {
    t.equal(toBankText(text), expected, text)
  }
})

t.test('no character disappears', async (t) => {
  for (const character of ['☃', '\u{1F33B}', '\u{E000}', '王', '𝕏', '¤'])
    t.match(toBankText(`a${character}b`), /^a.+b$/, character)
})

t.test('every result has only the characters of banks', async (t) => {
  for (let code = 0x20; code < 0x3000; code += 1) {
    const text = toBankText(`x${String.fromCodePoint(code)}y`)
    if (!/^[A-Za-z0-9/\-?:().,'+ ]+$/.test(text)) t.fail(`${code.toString(16)}: ${text}`)
  }
  t.pass('checked')
})

t.test('a text is cut off after it was transliterated', async (t) => {
  t.equal(shortenBankText('Ä'.repeat(40), 70), 'AE'.repeat(35))
  t.equal(shortenBankText('one two', 4), 'one')
})
