import { expect, test } from 'vitest'
import { changesOf, isOverridden, patchOf, savedOf, valuesOf } from './draft.ts'

const defaults = {
  ctfName: 'Harbour',
  startTime: 1000,
  endTime: 2000,
  homeContent: '',
  sponsors: [],
  meta: { description: 'By the sea', imageUrl: '' },
  logoLightUrl: '',
  logoDarkUrl: '',
}
const saved = savedOf({
  overrides: { ctfName: 'Lagoon', meta: { imageUrl: '/a.png' }, sponsors: [sponsor('Rope')] },
  defaults,
})

test('an override takes precedence over the default, and a draft over both', () => {
  expect(valuesOf(saved)).toMatchObject({ ctfName: 'Lagoon', description: 'By the sea', imageUrl: '/a.png' })
  expect(valuesOf(saved, { ctfName: null, startTime: 5 })).toMatchObject({ ctfName: 'Harbour', startTime: 5 })
  expect(isOverridden(saved, {}, 'ctfName')).toBe(true)
  expect(isOverridden(saved, { ctfName: null }, 'ctfName')).toBe(false)
  expect(isOverridden(saved, { endTime: 7 }, 'endTime')).toBe(true)
})

test('a value equal to the saved one is not a change, even if it was typed', () => {
  const draft = {
    ctfName: 'Lagoon',
    startTime: 1000,
    endTime: null,
    sponsors: [{ ...sponsor('Rope'), url: '' }],
  }
  expect(changesOf(saved, draft)).toEqual([])
  expect(changesOf(saved, { ctfName: null })).toEqual([
    { key: 'ctfName', from: 'Lagoon', to: 'Harbour', isReset: true },
  ])
})

test('a request contains only changed settings; the two meta fields are sent together', () => {
  const patch = (draft: Parameters<typeof changesOf>[1]) => patchOf(saved, changesOf(saved, draft))
  expect(patch({ ctfName: null, endTime: 3000 })).toEqual({ ctfName: null, endTime: 3000 })
  expect(patch({ description: 'Wet' })).toEqual({ meta: { description: 'Wet', imageUrl: '/a.png' } })
  expect(patch({ imageUrl: null })).toEqual({ meta: null })
  expect(patch({ sponsors: [] })).toEqual({ sponsors: [] })
  const added = { ...sponsor('Sails'), url: ' https://sails.example ' }
  expect(patch({ sponsors: [added, { ...sponsor('Rope'), url: '' }] })).toEqual({
    sponsors: [{ ...sponsor('Sails'), url: 'https://sails.example' }, sponsor('Rope')],
  })
})

function sponsor(name: string) {
  return { name, icon: '', description: '' }
}
