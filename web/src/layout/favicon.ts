import { useEffect } from 'react'
import { useConfig } from '../api/use-contest.ts'

/** The default of the setting: the page embeds the same image, which costs no request. */
const OURS = '/favicon.svg'
/** Image URLs that the Content Security Policy allows. */
const ALLOWED = /^(?:https:\/\/|\/(?!\/)|data:image\/)/i

export function isPictureAddress(address: string): boolean {
  return ALLOWED.test(address)
}

/** Shows the event's icon in the tab; the default if it has none or the policy would block it. */
export function useFavicon(): void {
  const icon = useConfig()?.faviconUrl
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (!link || !icon || icon === OURS || !isPictureAddress(icon)) return undefined
    const { href, type } = link
    link.removeAttribute('type')
    link.href = icon
    return () => {
      Object.assign(link, { href, type })
    }
  }, [icon])
}
