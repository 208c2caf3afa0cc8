import type { HtmlTagDescriptor, Plugin } from 'vite'

/**
 * Adds the operator's style sheet after ours, and preloads of the fonts: a font that is not there at the first paint is not used until
 * the next load of the page (global.css).
 */
export function siteHead(): Plugin {
  return {
    name: 'pennant-site-head',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const fonts = Object.keys(bundle ?? {}).filter(
          // The font of formulas belongs to a part that is loaded later.
          (name) => name.endsWith('.woff2') && !name.includes('Temml'),
        )
        const tags: HtmlTagDescriptor[] = fonts.map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', href: `/${name}`, as: 'font', type: 'font/woff2', crossorigin: '' },
          injectTo: 'head-prepend',
        }))
        return [...tags, { tag: 'link', attrs: { rel: 'stylesheet', href: '/theme.css' }, injectTo: 'head' }]
      },
    },
  }
}
