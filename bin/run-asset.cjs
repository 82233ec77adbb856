// Where one executable begins: the same as run-bundle.js, with what the executable holds.
const { wrap } = require('node:module')
const { getRawAsset } = require('node:sea')
const { Script } = require('node:vm')

const read = (name) => Buffer.from(getRawAsset(name))

const source = wrap(read('program').latin1Slice())
const script = new Script(source, { filename: 'coopshare.cjs', cachedData: read('code-cache') })
script.runInThisContext()({}, require, { exports: {} }, __filename, __dirname)
