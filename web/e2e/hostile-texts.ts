/** Sets a marker if a text is executed as code. */
const RUN = 'globalThis.pennantRan=1'
/** No text may make a browser send a request to this host. */
export const foreignHost = 'foreign.invalid'

/**
 * One or more texts for each known class of injection: code, styles and requests to other sites. They are used in every
 * user-supplied field.
 */
export const hostileTexts: readonly string[] = [
  // Elements that run automatically.
  `<script>${RUN}</script>`,
  `"><script src=//${foreignHost}/a.js></script>`,
  `</textarea></title></style></script><script>${RUN}</script>`,
  `<iframe srcdoc="<script>parent.pennantRan=1</script>"></iframe><object data=//${foreignHost}></object>`,
  `<base href=//${foreignHost}/><meta http-equiv=refresh content="0;url=//${foreignHost}">`,
  // Event handlers.
  `<img src=x onerror=${RUN}>`,
  `'"><img src=x onerror=${RUN}>`,
  `<details open ontoggle=${RUN}><summary>s</summary></details>`,
  `<input autofocus onfocus=${RUN}><video><source onerror=${RUN}></video>`,
  `<body onload=${RUN}><marquee onstart=${RUN}>m</marquee>`,
  // SVG and MathML.
  `<svg onload=${RUN}><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<svg><a xlink:href="javascript:${RUN}"><text y=20>t</text></a><use href=//${foreignHost}/s.svg#a /></svg>`,
  `<math><mi//xlink:href="data:x,<script>${RUN}</script>">`,
  // Parsed twice, with different results.
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<template><script>${RUN}</script></template><svg></p><style><a id="</style><img src=1 onerror=${RUN}>">`,
  `<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=${RUN} src>">`,
  // Links, in Markdown and in HTML.
  `[link](javascript:${RUN}) [b](JaVaScRiPt&colon;${RUN}) [c](data:text/html,<script>${RUN}</script>)`,
  `<a href="java\tscript:${RUN}">a</a> <a href=" javascript:${RUN}">b</a> <a href="vbscript:x">c</a>`,
  `![x](x"onerror="${RUN}) <javascript:${RUN}> [d]: javascript:${RUN}`,
  `<form action=//${foreignHost}><button formaction="javascript:${RUN}">go</button></form>`,
  // Formulas, footnotes and code.
  String.raw`$\href{javascript:${RUN}}{a}$ $\class{pn-locked}{b}$ $\style{position:fixed;inset:0}{c}$ $\def\d{\d\d}\d$`,
  String.raw`$$\includegraphics{//${foreignHost}/m.png}$$ \(\text{</mtext><img src=x onerror=${RUN}>}\) $\kern{-99em}\rule{99em}{99em}$`,
  `x[^"><img/onerror=${RUN}>][^__proto__]\n\n[^"><img/onerror=${RUN}>]: [y](javascript:${RUN})\n\n[^__proto__]: z`,
  `\`\`\`html\n</code></pre><img src=x onerror=${RUN}><script>${RUN}</script>\n\`\`\``,
  // Styles.
  `<style>@import "//${foreignHost}/a.css";*{background:url(//${foreignHost}/b)}</style>`,
  `<div style="position:fixed;inset:0;background:url(//${foreignHost}/c);width:9999px">over</div>`,
  `<link rel=stylesheet href=//${foreignHost}/d.css><p class="pn-locked pn-header" id=root>x</p>`,
  // Template and format syntax of other programs.
  `{{constructor.constructor('${RUN}')()}} \${${RUN}} <%= ${RUN} %> #{7*7}`,
  '=HYPERLINK("http://foreign.invalid","x")',
  // Names of built-in object properties.
  '__proto__',
  'constructor',
  'toString',
  '<img name=getElementById><form id=documentElement><input name=attributes></form>',
  // Special characters.
  `\u202eexe.tfosorciM\u202c \u2066\u2067rtl\u2069`,
  'W'.repeat(300),
  `Z\u0351\u036b\u0343\u036a\u0302\u036b${'\u0351\u036b'.repeat(60)}a`,
  '\u0001\u0007\u001b[31m\u200b\ufeff\ufffe\ud83d\ude00',
  '\ufdfd'.repeat(20),
  '| a | b |\n|-|-|\n'.repeat(3) + '`'.repeat(50) + '\n# '.repeat(20),
]
