import { expect, test } from 'vitest'
import { commandForms } from './commands.ts'
import { filterLog, parseLog } from './log-lines.ts'

test('only a netcat line has other forms', () => {
  expect(commandForms('nc a.example 31337').map(({ text }) => text)).toEqual([
    'ncat --ssl a.example 31337',
    "remote('a.example', 31337)",
  ])
  expect(commandForms('ncat --ssl a.example 443').map(({ text }) => text)).toEqual([
    "remote('a.example', 443, ssl=True)",
  ])
  expect(commandForms("nc a'; 1")).toEqual([])
})

test('lines that are not JSON are kept as text, and all lines can be filtered', () => {
  const lines = parseLog('{"time":"t","level":"WARN","prefix":"page","line":"Slow load"}\noops {\n\n[1]\n')
  expect(lines.map(({ level, text }) => [level, text])).toEqual([
    ['warn', 'Slow load'],
    ['', 'oops {'],
    ['', '[1]'],
  ])
  expect(filterLog(lines, new Set(['warn']), 'load page')).toHaveLength(1)
  expect(filterLog(lines, new Set(), 'oops load')).toHaveLength(0)
})
