import { expect, test } from 'vitest'
import { plainMarkup } from './raw-html.ts'

const allowed = {
  tags: new Set(['b', 'img', 'details']),
  attributes: new Set(['src', 'title', 'open']),
  isElement: (name: string) => /^(?:a|b|base|details|iframe|img)$/i.test(name),
}

test.each([
  ['<b>x</b> <B title=t>y</B>', '<b>x</b> <B title="t">y</B>'],
  ['<details open><img src="a b" onerror=x()></details>', '<details open=""><img src="a b"></details>'],
  [`<img title='"onload=x' style="color:red">`, '<img title="&quot;onload=x">'],
  ['<style>b{}</style><script>1</script>z', 'z'],
  ['<script>never closed <b>x</b>', ''],
  ['<!-- <b> --><base href=//x>y<!-- open', 'y'],
  ['<img src=x onerror=1 <b>', '&lt;img src=x onerror=1 <b>'],
  ['a < b', 'a &lt; b'],
  ['vector<int> <your name> </flag>', 'vector&lt;int> &lt;your name> &lt;/flag>'],
  ['<b-x onclick=1> <b_x> <iframe src=x>', '&lt;b-x onclick=1> &lt;b_x> '],
  ['<flag title="<img src=y>">', '&lt;flag title="<img src="y">">'],
])('%s', (html, plain) => {
  expect(plainMarkup(html, allowed)).toBe(plain)
})

test('many unclosed tags are processed in linear time', () => {
  const text = '<a "'.repeat(50_000)
  expect(plainMarkup(text, allowed)).toBe('&lt;a "'.repeat(50_000))
})
