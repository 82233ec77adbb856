import t from 'tap'
import { buildProject } from '../../../fixtures/builders/cooperatives.ts'
import { groupProjectsByType } from '../../../src/domain/cooperatives/cooperative.ts'
import {
  imageContentType,
  imageError,
  maximumImageBytes,
} from '../../../src/domain/cooperatives/image.ts'
import { distanceKm, parsePriceBound } from '../../../src/domain/cooperatives/search-catalogue.ts'
import { deriveId } from '../../../src/domain/ids.ts'
import { foldCase, foldText } from '../../../src/domain/text.ts'

t.test('distance is measured along the surface of the earth', async (t) => {
  const rows: readonly [string, [number, number], [number, number], number][] = [
    ['nowhere', [48, 11], [48, 11], 0],
    ['a degree of latitude', [0, 0], [1, 0], 111],
    ['across the date line', [0, 179.5], [0, -179.5], 111],
    ['pole to pole', [90, 0], [-90, 0], 20015],
    ['to the other side', [12.3456789, 98.7654321], [-12.3456789, -81.2345679], 20015],
  ]
  for (const [title, [latitude, longitude], to, expected] of rows) {
    const there = { latitude: to[0], longitude: to[1] }
    t.equal(Math.round(distanceKm({ latitude, longitude }, there)), expected, title)
  }
})

t.test('a price bound may have any length, and rounding loses no match', async (t) => {
  const rows: readonly [string, bigint | undefined, bigint | undefined][] = [
    ['250', 25000n, 25000n],
    ['250.5', 25050n, 25050n],
    ['250.50', 25050n, 25050n],
    ['250.501', 25050n, 25051n],
    ['250.500', 25050n, 25050n],
    ['0250', 25000n, 25000n],
    ['+1', 100n, 100n],
    ['-0.005', -1n, 0n],
    ['9'.repeat(40), BigInt(`${'9'.repeat(40)}00`), BigInt(`${'9'.repeat(40)}00`)],
    ['abc', undefined, undefined],
    ['1e3', 100000n, 100000n],
    ['1e', undefined, undefined],
    ['1,50', undefined, undefined],
    ['.5', undefined, undefined],
    ['NaN', undefined, undefined],
    ['٣', undefined, undefined],
  ]
  for (const [text, floor, ceiling] of rows) {
    const bound = parsePriceBound(text)
    t.strictSame([bound?.floor, bound?.ceiling], [floor, ceiling], text)
  }
})

t.test('projects are grouped by type with their number and known capacity', async (t) => {
  const projects = [
    buildProject({ name: 'a', type: 'roof', capacityKw: 0.1 }),
    buildProject({ name: 'b', type: 'field', capacityKw: null }),
    buildProject({ name: 'c', type: 'roof', capacityKw: 0.2 }),
    buildProject({ name: 'd', type: 'roof', capacityKw: null }),
  ]
  t.strictSame(groupProjectsByType(projects), [
    { type: 'field', count: 1, capacityKw: null },
    { type: 'roof', count: 3, capacityKw: 0.3 },
  ])
  t.strictSame(groupProjectsByType([]), [])
})

t.test('texts are compared without case and accents', async (t) => {
  t.equal(foldText('  Bürger-ENERGIE\n Straße  é '), 'burger-energie strasse e')
  t.equal(foldText('\u0301'), '')
  t.equal(foldCase('Mu\u0308NCHEN'), foldCase('münchen'))
  t.not(foldCase('München'), foldCase('Munchen'))
})

t.test('derived ids are UUIDv5 and depend only on the names', async (t) => {
  // Existing stores contain this id, so another value would be a breaking change.
  t.equal(deriveId('cooperative', 'solar-allgaeu'), '5a0647af-e3eb-51b5-8b01-712b95e4348b')
  t.match(deriveId('project', 'a', 'b'), /^[0-9a-f]{8}-[0-9a-f]{4}-5/)
  t.not(deriveId('project', 'a', 'b c'), deriveId('project', 'a b', 'c'))
  t.not(deriveId('project', 'a'), deriveId('cooperative', 'a'))
})

t.test('only SVG, PNG, JPEG and WebP images are accepted, by their first bytes', async (t) => {
  const png = Buffer.from('\x89PNG\r\n\x1a\n....', 'latin1')
  const rows: readonly [string, string, Buffer, string | undefined][] = [
    ['SVG', 'image/svg+xml', Buffer.from('<svg/>'), undefined],
    [
      'SVG after its prologue',
      'image/svg+xml',
      Buffer.from('\uFEFF<?xml version="1.0"?>\n<!-- c -->\n<svg>'),
      undefined,
    ],
    ['PNG', 'image/png', png, undefined],
    ['JPEG', 'image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), undefined],
    ['WebP', 'image/webp', Buffer.from('RIFF1234WEBPVP8 '), undefined],
    ['HTML as SVG', 'image/svg+xml', Buffer.from('<html>'), 'must be image/svg+xml, as declared'],
    [
      'text as SVG',
      'image/svg+xml',
      Buffer.from('see <svg>'),
      'must be image/svg+xml, as declared',
    ],
    ['PNG as JPEG', 'image/jpeg', png, 'must be image/jpeg, as declared'],
    [
      'sound as WebP',
      'image/webp',
      Buffer.from('RIFF1234WAVEfmt '),
      'must be image/webp, as declared',
    ],
    ['nothing', 'image/png', Buffer.alloc(0), 'must be image/png, as declared'],
    ['GIF', 'image/gif', Buffer.from('GIF89a'), 'must be an SVG, PNG, JPEG or WebP image'],
    [
      'largest',
      'image/png',
      Buffer.concat([png, Buffer.alloc(maximumImageBytes - png.length)]),
      undefined,
    ],
    [
      'too large',
      'image/png',
      Buffer.concat([png, Buffer.alloc(maximumImageBytes)]),
      'must have at most 1048576 bytes',
    ],
  ]
  for (const [title, contentType, bytes, fault] of rows) {
    t.equal(imageError({ contentType, base64: bytes.toString('base64') }), fault, title)
  }
  t.equal(imageError({ contentType: 'image/png', base64: 'no base64!' }), 'must be base64')
})

t.test('the extension of a file names the type of its image', async (t) => {
  const rows: readonly [string, string | undefined][] = [
    ['img/hero.svg', 'image/svg+xml'],
    ['a.PNG', 'image/png'],
    ['a.b.jpeg', 'image/jpeg'],
    ['a.jpg', 'image/jpeg'],
    ['a.webp', 'image/webp'],
    ['a.gif', undefined],
    ['svg', undefined],
    ['', undefined],
  ]
  for (const [name, expected] of rows) t.equal(imageContentType(name), expected, name)
})
