import { expect, test } from 'vitest'
import { render } from './template.ts'

const names = {
  nc: 'nc h 1',
  challenge: {
    name: "it's",
    author: ['kim', "l'ee"],
    value: 5,
    visible: true,
    none: null,
    expose: { main: [{ tcp: 1 }, { http: 'x' }], 'a-b': [{ target: 2 }] },
  },
}

// What Jinja 3.1 prints.
test.each([
  ['{{nc}}', 'nc h 1'],
  ['a\n\n', 'a\n'],
  ['{{ nc }}\n', 'nc h 1'],
  ['x {{- nc -}} \n y', 'xnc h 1y'],
  ['{# c #}b{#- d -#} e', 'be'],
  ['{{ challenge.expose.main[0].tcp }}', '1'],
  ['{{ challenge.expose["a-b"][0].target }}', '2'],
  ["{{ challenge['expose'].main.1.http }}", 'x'],
  ['{{ challenge.author[-1] }}', "l'ee"],
  ['{{ challenge.author }}', `['kim', "l'ee"]`],
  ['{{ challenge.visible }} {{ challenge.none }} {{ challenge.value }}', 'True None 5'],
  [`{{ "{{" }} {{ '}}' }} }}`, '{{ }} }}'],
  ['{% raw %}{{ 7*7 }}{% endraw %}', '{{ 7*7 }}'],
  ['a\r\nb', 'a\nb'],
])('renders %j as %j', (template, text) => {
  expect(render(template, { names })).toEqual({ text })
})

test.each([
  ['{{ nope }}', '{{ nope }} has no value: the names here are nc, challenge'],
  [
    '{{ challenge.nam }}',
    '{{ challenge.nam }} has no value: challenge has name, author, value, visible, none, expose',
  ],
  ['{{ challenge.__class__ }}', 'has no value'],
  ['{{ challenge.constructor }}', 'has no value'],
  ['{{ nc', '{{ nc has no }} at its end'],
  ['{% if a', '{% if a has no %} at its end'],
  ['{% if a %}{% endif %}', '{% if a %} is not supported'],
  ['{{ 7*7 }}', '{{ 7*7 }} is not supported'],
  ['{{ nc.upper() }}', 'is not supported'],
  ['{{ nc | upper }}', 'the filter upper is not supported'],
])('refuses %s', (template, problem) => {
  expect(render(template, { names })).toEqual({ problem: expect.stringContaining(problem) as string })
})

test('a filter is one of those that the caller gives', () => {
  const filters = { twice: (text: string) => text + text }
  expect(render('{{ nc | twice }}', { names, filters })).toEqual({ text: 'nc h 1nc h 1' })
})
