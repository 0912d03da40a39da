"""What walls, error pages and paywalls say, in the languages of the web, as parts of sentences.

A wording is compared with lower-case text, so it can be the stem of a word. It is no proof: an
article on cookies has the same words. The model weighs how much of a page they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, compress

from scrapy_cetr.extraction import loops

# The wordings of each topic. "|" separates them, as many contain spaces.
_WORDINGS = {
    "missing": (
        "404|not found|no longer available|no longer exists|does not exist|doesn't exist|"
        "doesn’t exist|couldn't find|couldn’t find|cannot find|can't find|can’t find|"
        "could not be found|cannot be found|isn't available|isn’t available|"
        "is not available|410|not at this address|suspended|nothing here|nothing found|"
        "has been removed|may have been moved|been deleted|"
        "nicht gefunden|nicht mehr verfügbar|existiert nicht|nicht vorhanden|nicht finden|"
        "nichts finden|nichts gefunden|nicht auffindbar|gibt es nicht|gibt es bei uns nicht|"
        "introuvable|n'existe p|n’existe p|n'est plus disponible|n’est plus disponible|"
        "pas été trouvée|a été supprimé|no encontrad|no existe|no se encuentra|no está disponible|"
        "ya no está|no se ha encontrado|no hemos encontrado|non trovat|non esiste|"
        "non è più disponibile|stata rimossa|não encontrad|não existe|não foi encontrad|"
        "não está disponível|não está mais|niet gevonden|bestaat niet|niet meer beschikbaar|"
        "niet vinden|nie znalezion|nie istnieje|nie została znaleziona|nie można znaleźć|"
        "не найден|не существует|была удалена|не знайден|не існує|bulunamad|mevcut değil|"
        "hittades inte|finns inte|hittar inte|ikke funnet|finnes ikke|blev ikke fundet|"
        "findes ikke|ei löyty|nenalezen|neexistuje|nem található|nu a fost găsit|δεν βρέθηκε|"
        "見つかりません|存在しません|削除された|不存在|未找到|找不到|已删除|已被删除|無法找到|"
        "찾을 수 없|존재하지 않|삭제된|غير موجود|لم يتم العثور|لا يمكن العثور|לא נמצא|"
        "không tìm thấy|không tồn tại|tidak ditemukan|नहीं मिला|ไม่พบ"
    ),
    "failure": (
        "500|502|503|504|server error|internal error|bad gateway|service unavailable|"
        "gateway time|temporarily unavailable|temporarily down|something went wrong|"
        "an error occurred|try again later|under maintenance|scheduled maintenance|"
        "back soon|be back|overloaded|not be satisfied|can't connect|cannot be reached|"
        "critical error|database connection|backend|application error|"
        "technical difficult|technische störung|techniker|schiefgegangen|"
        "nicht erreichbar|gleich wieder|noch einmal|"
        "временно недоступ|gick snett|försök|pröva igen|problème technique|"
        "ha fallado|vuelve a intentar|problema técnico|problema tecnico|poszło nie tak|awari|"
        "технические неполадки|unexpected error|serverfehler|"
        "wartung|vorübergehend nicht|später erneut|später noch einmal|ein fehler ist aufgetreten|"
        "schiefgelaufen|erreur interne|erreur s'est produite|erreur s’est produite|"
        "erreur est survenue|réessayer plus tard|réessayez|en maintenance|"
        "momentanément indisponible|temporairement|error interno|error del servidor|"
        "inténtalo|inténtelo|intente de nuevo|mantenimiento|ha ocurrido un error|algo salió mal|"
        "ha ido mal|errore interno|errore del server|riprova|manutenzione|"
        "si è verificato un errore|erro interno|erro no servidor|tente novamente|manutenção|"
        "ocorreu um erro|algo deu errado|serverfout|interne fout|onderhoud|probeer het later|"
        "er ging iets mis|er is iets misgegaan|błąd serwera|wewnętrzny błąd|spróbuj ponownie|"
        "przerwa techniczna|wystąpił błąd|ошибка сервера|внутренняя ошибка|попробуйте позже|"
        "повторите попытку|технические работы|произошла ошибка|что-то пошло не так|помилка|"
        "sunucu hatası|bir hata oluştu|tekrar deneyin|bakım|serverfel|något gick fel|"
        "försök igen|noe gikk galt|prøv igjen|noget gik galt|prøv igen|chyba serveru|"
        "サーバーエラー|内部エラー|メンテナンス|エラーが発生|しばらくして|しばらく経って|"
        "服务器错误|内部错误|系统维护|稍后再试|稍後再試|出错了|出現錯誤|서버 오류|오류가 발생|"
        "다시 시도|점검 중|خطأ في الخادم|حدث خطأ|حاول مرة أخرى|المحاولة لاحق|الصيانة|"
        "lỗi máy chủ|terjadi kesalahan|coba lagi"
    ),
    "denied": (
        "403|401|forbidden|access denied|access to this|you don't have permission|"
        "you do not have permission|not authorized|unauthorized|been blocked|"
        "restricted|been limited|eingeschränkt|restreint|restringid|"
        "429|too many requests|451|legal reasons|european|access cannot be|cannot be granted|"
        "blocked from|is not available in your|not available in your|your country|your region|"
        "zugriff verweigert|keine berechtigung|nicht berechtigt|gesperrt|zugang verweigert|"
        "in ihrem land|accès refusé|accès interdit|pas autorisé|pas l'autorisation|"
        "pas l’autorisation|bloqué|votre pays|acceso denegado|acceso prohibido|no tiene permiso|"
        "no tienes permiso|bloquead|su país|tu país|accesso negato|accesso vietato|"
        "non hai il permesso|non consentito|vietato|non disponi|bloccat|acesso negado|"
        "acesso proibido|não tem permissão|"
        "geen toegang|toegang geweigerd|niet toegestaan|geblokkeerd|odmowa dostępu|"
        "dostęp zabroniony|brak dostępu|nie masz uprawnień|zablokowan|доступ запрещ|"
        "доступ ограничен|нет доступа|нет прав|заблокирован|erişim engellendi|yetkiniz yok|"
        "erişim reddedildi|åtkomst nekad|ingen behörighet|blockerad|ingen tilgang|adgang nægtet|"
        "přístup odepřen|アクセスが拒否|アクセス権|禁止されて|拒否されました|拒绝访问|禁止访问|"
        "没有权限|無權|访问被拒绝|접근이 거부|접근 권한|권한이 없|차단|تم رفض الوصول|"
        "ليس لديك إذن|محظور|الوصول مرفوض"
    ),
    "robot": (
        "captcha|are you human|are human|you are not a robot|you're not a robot|a robot|robots|"
        "verify you|verifying you|verification|checking your browser|checking if the site|"
        "just a moment|unusual traffic|unusual activity|automated|security check|ddos|ray id|"
        "enable javascript|javascript is disabled|javascript is required|reference #|"
        "request id|incident id|press & hold|moment please|one moment|please wait|security service|"
        "you were blocked|online attacks|a bot|bots|crawler|ad blocker|adblock|firewall|"
        "scrap|proof of work|proof-of-work|protect the server|no bot|kein bot|bot-schutz|"
        "seeing this because|regain access|disabled cookies|disabled javascript|"
        "cookies and javascript|"
        "javascript and cookies|enable js|turn javascript|incapsula|characters you see|"
        "einen moment|bitte warten|un instant|patientez|"
        "un momento|espere|attendere|um momento|aguarde|even geduld|een moment|proszę czekać|"
        "chwilę|подождите|минуту|lütfen bekleyin|vänta|お待ちください|请稍候|请稍等|잠시만|"
        "الانتظار|ein mensch|kein roboter|sicherheitsüberprüfung|"
        "sicherheitscheck|browser wird überprüft|javascript aktivieren|aktivieren sie javascript|"
        "ungewöhnlich|automatisiert|êtes humain|êtes un humain|un robot|vérification|"
        "activer javascript|activez javascript|trafic inhabituel|eres humano|es humano|"
        "eres un robot|es un robot|verificación|verificando|activa javascript|habilite javascript|"
        "habilita javascript|tráfico inusual|essere umano|umano|verifica|abilita javascript|"
        "traffico insolito|é humano|um robô|verificação|ative o javascript|tráfego incomum|"
        "een mens|geen robot|controle|schakel javascript|ongebruikelijk verkeer|człowiek|"
        "robotem|weryfikac|włącz javascript|nietypowy ruch|вы не робот|вы человек|роботом|"
        "проверка|включите javascript|подозрительн|автоматическ|не робот|robot olmad|"
        "insan old|doğrulama|javascript'i etkin|är människa|en robot|verifiera|"
        "aktivera javascript|et menneske|bekræft|nejste robot|ロボットではない|人間である|"
        "セキュリティチェック|認証|javascriptを有効|通常と異なる|人机验证|安全验证|验证您|"
        "不是机器人|启用javascript|启用 javascript|安全检查|异常流量|驗證|로봇이 아|보안 확인|"
        "사람인지|자바스크립트|비정상|لست روبوت|التحقق|إنسان|تفعيل جافا|حركة غير"
    ),
    "consent": (
        "cookie|consent|your privacy|privacy choice|our partners|personalised ad|personalized ad|"
        "accept all|reject all|legitimate interest|vendors|gdpr|datenschutz|einwilligung|"
        "zustimm|alle akzeptieren|akzeptieren und weiter|partner|werbung|confidentialité|"
        "consentement|tout accepter|tout refuser|vie privée|partenaires|sans accepter|privacidad|"
        "consentimiento|aceptar todo|aceptar y|rechazar|socios|riservatezza|consenso|"
        "accetta tutt|accetta e|rifiuta|privacidade|consentimento|aceitar todos|aceitar e|"
        "parceiros|privacy|toestemming|alles accepteren|akkoord|weigeren|prywatnoś|zgod|"
        "akceptuj|partnerzy|partnerów|ciasteczk|файлы cookie|файлов cookie|куки|согласи|"
        "конфиденциальност|принять все|çerez|gizlilik|kabul et|rıza|kakor|samtyck|"
        "godkänn alla|integritet|informasjonskapsler|samtykke|godta alle|souhlas|soukromí|"
        "クッキー|プライバシー|同意|すべて受け入れ|すべて許可|隐私|接受所有|全部接受|隱私|"
        "쿠키|개인정보|동의|모두 수락|ملفات تعريف الارتباط|الخصوصية|الموافقة|قبول الكل|موافق"
    ),
    "login": (
        "log in|login|sign in|sign up|password|username|create an account|create account|"
        "forgot|register|remember me|members only|logged in|anmelden|einloggen|passwort|"
        "registrieren|benutzername|angemeldet|konto erstellen|se connecter|connectez-vous|"
        "connexion|mot de passe|créer un compte|identifiant|inscri|iniciar sesión|"
        "inicia sesión|contraseña|regístr|registrarse|crear una cuenta|accedi|effettua il login|"
        "registrati|crea un account|nome utente|entrar|iniciar sessão|senha|palavra-passe|"
        "cadastr|criar conta|inloggen|log in|wachtwoord|registreren|account aanmaken|"
        "gebruikersnaam|zaloguj|logowanie|hasło|zarejestruj|załóż konto|войти|вход|войдите|"
        "авториз|пароль|регистрац|зарегистрир|giriş yap|oturum aç|şifre|parola|üye ol|kayıt ol|"
        "logga in|lösenord|skapa konto|logg inn|passord|log ind|adgangskode|přihlás|heslo|"
        "ログイン|パスワード|会員登録|アカウント|登录|密码|注册|登入|密碼|로그인|비밀번호|회원가입|"
        "تسجيل الدخول|كلمة المرور|سجل الدخول|إنشاء حساب"
    ),
    "paywall": (
        "subscribe to continue|subscribe to read|subscribe now|to continue reading|"
        "continue reading|keep reading|read the full|subscriber-only|subscribers only|"
        "for subscribers|exclusive to subscribers|already a subscriber|already a member|"
        "become a member|free trial|start your trial|cancel anytime|free articles|"
        "unlock this|unlimited access|digital access|per month|premium|abonnieren|abonnent|"
        "weiterlesen|abo |mit abo|jetzt testen|monatlich kündbar|jederzeit kündbar|"
        "diesen artikel lesen|réservé aux abonnés|abonnez-vous|abonné|lire la suite|"
        "poursuivre la lecture|sans engagement|suscríb|suscriptor|seguir leyendo|"
        "continuar leyendo|exclusivo para|cancela cuando|abbonat|abbonamento|"
        "continua a leggere|per leggere|assine|assinante|continuar lendo|continue lendo|"
        "continuar a ler|exclusivo para assinantes|abonneer|abonnee|lees verder|verder lezen|"
        "word lid|subskryb|prenumerat|czytaj dalej|czytać dalej|dalsza część|bez limitu|подпис|"
        "читать далее|продолжить чтение|дочитать|abone ol|aboneler|okumaya devam|prenumer|"
        "läs vidare|abonnér|bli abonnent|for abonnenter|les videre|læs videre|předplat|"
        "číst dál|有料会員|会員限定|続きを読む|残り|購読|订阅|会员专享|阅读全文|付费|剩余|"
        "訂閱|구독|유료회원|계속 읽|전문을 보|اشترك|للمشتركين|متابعة القراءة|لمواصلة القراءة"
    ),
}
WORDINGS: Mapping[str, tuple[str, ...]] = {
    topic: tuple(dict.fromkeys(texts.split("|"))) for topic, texts in _WORDINGS.items()
}
# The topic of each wording; a wording can have several.
_TOPIC = [number for number, texts in enumerate(WORDINGS.values()) for _ in texts]
_STRINGS = loops.Strings(chain.from_iterable(WORDINGS.values()))


def count_wordings(text: str) -> list[int]:
    """Count how many different wordings of each topic a text has.

    >>> dict(zip(WORDINGS, count_wordings("404: page not found"), strict=True))["missing"]
    2
    """
    counts = [0] * len(WORDINGS)
    for topic in compress(_TOPIC, loops.count_strings(text.lower(), _STRINGS)):
        counts[topic] += 1
    return counts
