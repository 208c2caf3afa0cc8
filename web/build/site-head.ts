import type { HtmlTagDescriptor, Plugin } from 'vite'

/** Adds the operator's style sheet after ours, and a preload of the display face for the first paint. */
export function siteHead(): Plugin {
  return {
    name: 'pennant-site-head',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const fonts = Object.keys(bundle ?? {}).filter((name) => /archivo.*\.woff2$/.test(name))
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
