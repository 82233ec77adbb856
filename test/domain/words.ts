// cspell:disable
import t from 'tap'
import { beginningsOf, isNamed, spellingsOf, wordsOf } from '../../src/domain/words.ts'

const finds = (typed: string, name: string) => isNamed(spellingsOf(name), wordsOf(typed))

t.test('a name is found in each spelling that people type', async (t) => {
  for (const [typed, name] of [
    ['Müller', 'Müller'],
    ['mueller', 'Müller'],
    ['MULLER', 'Müller'],
    ['Müller', 'Mueller'],
    ['muller', 'Mueller'],
    ['Mu\u0308ller', 'Müller'],
    ['straße', 'Strasse'],
    ['strasse', 'Straße'],
    ['soren', 'Søren'],
    ['soeren', 'Søren'],
    ['lukasz', 'Łukasz'],
    ['rene', 'René'],
    ['gross-muller', 'Groß-Müller'],
    ['landrut', 'Meyer-Landrut'],
    ['von der ley', 'Ursula von der Leyen'],
    ['obrien', "Conan O'Brien"],
    ['o’brien', "Conan O'Brien"],
    ['brien', "Conan O'Brien"],
    ['Ελέ', 'Ελένη'],
    ['παπασ', 'ΠΑΠΑΣ'],
    ['김민', '김민준'],
    ['王小', '王小明'],
    ['ann hofm', 'Anna Hofmann'],
    ['hofm ann', 'Anna Hofmann'],
  ] as const) {
    t.ok(finds(typed, name), `${typed} finds ${name}`)
  }
  for (const [typed, name] of [
    ['muller', 'Miller'],
    ['fmann', 'Hofmann'],
    ['ann hofx', 'Anna Hofmann'],
    ['muellr', 'Müller'],
  ] as const) {
    t.notOk(finds(typed, name), `${typed} does not find ${name}`)
  }
})

t.test('the beginnings of a word have three letters or more, and at most twelve', async (t) => {
  t.strictSame(beginningsOf('hofman'), ['hof', 'hofm', 'hofma', 'hofman'])
  t.strictSame(beginningsOf('li'), [])
  t.equal(beginningsOf('genossenschaftsverband').at(-1), 'genossenscha')
  t.strictSame(beginningsOf('王小明'), ['王', '王小', '王小明'], 'a character may be a whole word')
})
