// Before anything is drawn: colours, language and the first two requests.
;(function () {
  var root = document.documentElement
  var kept = function (name) {
    try {
      return localStorage.getItem(name)
    } catch {
      return null
    }
  }
  var theme = kept('pn-theme')
  if (theme !== 'dark' && theme !== 'light')
    theme = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
  root.dataset.mantineColorScheme = theme
  var get = function (path, headers) {
    var sent = fetch(path, { headers: headers })
    sent.catch(function () {})
    return sent
  }
  var token = kept('pn-token')
  var config = '/api/v2/integrations/client/config'
  var me = '/api/v2/users/me'
  self.pnEarly = {}
  self.pnEarly[config] = get(config, {})
  if (token) self.pnEarly[me] = get(me, { authorization: 'Bearer ' + token })
})()
