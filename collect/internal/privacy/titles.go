package privacy

// privatePhrases are what Firefox writes into the last part of a private window's
// title, in the languages that it ships: browser-main-private-window-title and
// browser-main-private-suffix-for-content of its language packs, without the name
// of the browser. Languages that leave them out show the English words; for those
// the words of the shortcut to a private window are here, too.
var privatePhrases = []string{
	"التصفح الخاص",               // ar
	"Məxfi Səyahət",              // az
	"Прыватнае агляданне",        // be
	"Поверително сърфиране",      // bg
	"ব্যক্তিগত ব্রাউজিং",         // bn
	"Merdeiñ prevez",             // br
	"Privatno pretraživanje",     // bs
	"privatno pregledanje",       // bs
	"Navegació privada",          // ca
	"Ichinan okem pa k'amaya'l",  // cak
	"Anonymní prohlížení",        // cs
	"Pori Preifat",               // cy
	"Privat browsing",            // da
	"Privater Modus",             // de
	"Priwatny modus",             // dsb, hsb
	"Ιδιωτική περιήγηση",         // el
	"Private Browsing",           // en-ca, en-gb
	"Privata retumo",             // eo
	"Navegación privada",         // es-ar, es-cl, es-es, es-mx, gl
	"privaatne veebilehitsemine", // et
	"Nabigatze Pribatua",         // eu
	"مرور ناشناس",                // fa
	"Yksityinen selaus",          // fi
	"Navigation privée",          // fr
	"Navigazion privade",         // fur
	"priveenavigaasje",           // fy-nl
	"Brabhsadh prìobhaideach",    // gd
	"Kundaha ñemi",               // gn
	"גלישה פרטית",                // he
	"privatno pregledavanje",     // hr
	"Privát böngészés",           // hu
	"Գաղտնի դիտարկում",           // hy-am
	"Navigation private",         // ia
	"Meramban Privat",            // id
	"Penjelajahan Pribadi",       // id
	"huliðsvafur",                // is
	"Navigazione anonima",        // it
	"プライベートブラウジング",               // ja
	"პირადი თვალიერება",          // ka
	"Tunigin tusligt",            // kab
	"Жекелік шолу",               // kk
	"사생활 보호 모드",                  // ko
	"Navegaçion Privâ",           // lij
	"privatusis naršymas",        // lt
	"privātā pārlūkošana",        // lv
	"приватно прелистување",      // mk
	"Pelayaran Peribadi",         // ms
	"Privat nettlesing",          // nb-no, nn-no
	"निजी ब्राउजिङ",              // ne-np
	"Privénavigatie",             //nolint:misspell // nl
	"navegacion privada",         // oc
	"ਪ੍ਰਾਈਵੇਟ ਬਰਾਊਜ਼ਿੰਗ",          // pa-in
	"Tryb prywatny",              // pl
	"navegação privativa",        // pt-br
	"Navegação privada",          // pt-pt
	"Modus privat",               // rm
	"Navigare privată",           // ro
	"Приватный просмотр",         // ru
	"ᱯᱨᱟᱭᱣᱮᱴ ᱵᱽᱨᱟᱣᱩᱡᱤᱝ",          // sat
	"Navigatzione privada",       // sc
	"පෞද්. පිරික්සුම",            // si
	"Súkromné prehliadanie",      // sk
	"نجی براؤزنگ",                // skr
	"Zasebno brskanje",           // sl
	"Shfletim Privat",            // sq
	"приватно прегледање",        // sr
	"Privat surfning",            // sv-se
	"అంతరంగిక విహరణ",             // te
	"ఆంతరంగిక విహారణ",            // te
	"Тамошобинии махфӣ",          // tg
	"Тамошобинии хусусии",        // tg
	"Тамошобинии хусусӣ",         // tg
	"การท่องเว็บแบบส่วนตัว", // th
	"การเรียกดูแบบส่วนตัว",  // th
	"Pribadong Pagba-browse", // tl
	"Gizli Gezinti",          // tr
	"Приватний перегляд",     // uk
	"Maxfiy koʻrish",         // uz
	"Duyệt web riêng tư",     // vi
	"隐私浏览",                   // zh-cn
	"隱私瀏覽模式",                 // zh-tw
}

// privateMarks end the accessible name of a private window of Chromium, in the
// languages that it ships.
var privateMarks = []string{
	"(Incognito)",         // af, en-GB, en-US, fi, fil, nl, pl, ro
	"(ማንነትን የማያሳውቅ)",      // am
	"(ስውር)",               // am
	"(التصفح المتخفي)",    // ar
	"(Инкогнито)",         // bg, ru
	"(„Инкогнито“)",       // bg
	"(ছদ্মবেশী)",          // bn
	"(Incògnit)",          // ca
	"(Anonymní režim)",    // cs
	"(Inkognito)",         // da, et, lt, lv, ms, nb, sk, sv
	"(anonym)",            // de
	"(Ανώνυμη περιήγηση)", // el
	"(Incógnito)",         // es, es-419
	"(ناشناس)",            // fa
	"(Navigation privée)", // fr
	"(છૂપી)",              // gu
	"(אנונימי)",           // he
	"(גלישה בסתר)",        // he
	"(गुप्त)",             // hi, mr
	"(Anonimno)",          // hr
	"(Inkognitó mód)",     // hu
	"(Samaran)",           // id
	"(In incognito)",      // it
	"（シークレット モード）",        // ja
	"(ಅದೃಶ್ಯ)",            // kn
	"(시크릿 모드)",            // ko
	"(Inkognito režīms)",  // lv
	"(ആള്\u200dമാറാട്ടം)", // ml
	"(Modo anônimo)",      // pt-BR
	"(Navegação anónima)", // pt-PT
	"(anonimni način)",    // sl
	"(без архивирања)",    // sr
	"(Hali fiche)",        // sw
	"(மறைநிலை)",           // ta
	"(అజ్ఞాతంగా)",         // te
	"(โหมดไม่ระบุตัวตน)", // th
	"(Gizli mod)",          // tr
	"(Анонімний перегляд)", // uk
	"(پوشیدگی)",            // ur
	"(Ẩn danh)",            // vi
	"（无痕模式）",               // zh-CN
	"（无痕）",                 // zh-CN
	"(無痕模式)",               // zh-TW
	"(Private)",            // Brave, Vivaldi, Opera
	"(Private with Tor)",   // Brave
	"(Guest)",              // nothing of it is kept either
}
