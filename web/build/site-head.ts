import type { HtmlTagDescriptor, Plugin } from 'vite'

/** Last into the head: the operator's colours after ours, and the one font early, so that it is there at first paint. */
export function siteHead(): Plugin {
  return {
    name: 'pennant-site-head',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const fonts = Object.keys(bundle ?? {}).filter((name) => name.endsWith('.woff2'))
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
