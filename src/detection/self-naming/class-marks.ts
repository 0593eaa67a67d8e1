import { codesOf, isSpace } from "../character-codes.ts";
import { readableSlug, TYPO3_EXTENSIONS, WORDPRESS_PLUGINS, WORDPRESS_THEMES } from "./extension-names.ts";
import { compactName, type NameIndex } from "./names.ts";

/** A class, an id or a data attribute that only one tool writes, although it does not contain the tool's name. */
export interface ClassMark {
  readonly name: string;
  /** Of a tool that the catalogue does not have. */
  readonly category: string;
  readonly strength: "strong" | "weak";
  readonly token: string;
}

/**
 * Category, name, and the classes and data attributes that the tool's own mark-up or style sheet has. One that ends with
 * `-` or `_` is the beginning of such a class. Sources: the mark-up that each tool documents or prints. Those after `?`
 * are words that others use too, or that a site writes although it uses the tool in no other way.
 */
const MARKS = `
web-framework|YAML CSS|ym-grid ym-gbox ym-g50 ym-g33 ym-hlist ym-vlist ym-column ym-clearfix
web-framework|Pure.css|pure-menu-link pure-menu-heading pure-menu-item
web-framework|Material Design Lite|mdl-js-button mdl-js-layout mdl-js-ripple-effect
javascript-library|Radix UI|data-radix-scroll-area-viewport data-radix-popper-content-wrapper data-radix-collection-item
web-framework|Radix Themes|radix-themes
web-framework|MDBootstrap|data-mdb-
web-framework|Google Web Toolkit|gwt-Label gwt-Button gwt-Anchor gwt-HTML gwt-TextBox gwt-Image
web-framework|PrimeFaces|ui-selectonemenu ui-selectbooleancheckbox ui-selectcheckboxmenu ui-selectmanymenu
fonts|Lucide|data-lucide lucide-
fonts|Feather|data-feather
fonts|Boxicons|bxl-
fonts|Octicons|octicon octicon-
fonts|Material Design Icons|mdi-
fonts|Ionicons|ion-md- ion-logo- ion-android-
fonts|Devicon|devicon-
fonts|Unicons|uil-
fonts|UIcons|fi-rr- fi-sr- fi-br-
fonts|Zocial|zocial
fonts|Iconify|iconify iconify-inline
fonts|Tabler Icons|icon-tabler icon-tabler-
fonts|Weather Icons|wi-day- wi-night-
fonts|Font Awesome|?fa-solid fa-brands fa-regular fa-light
javascript-library|jQuery BlockUI|blockUI
javascript-library|jQuery Cycle|cycle-slideshow cycle-sentinel data-cycle-fx data-cycle-slides data-cycle-timeout data-cycle-pager
javascript-library|Vegas|vegas-container vegas-slide vegas-overlay
javascript-library|FlexSlider|flex-direction-nav flex-control-nav flex-control-paging
javascript-library|AnythingSlider|anythingSlider anythingWindow anythingBase
javascript-library|RoyalSlider|rsDefault rsContent rsOverflow rsMinW
javascript-library|Tiny Slider|tns-inner tns-item tns-nav
javascript-library|Blaze Slider|blaze-slider blaze-track blaze-track-container
javascript-library|Swiffy Slider|swiffy-slider
javascript-library|Colorbox|cboxElement cboxOverlay cboxWrapper cboxLoadedContent
javascript-library|SimpleLightbox|sl-overlay sl-wrapper
javascript-library|Ekko Lightbox|ekko-lightbox
javascript-library|Nivo Lightbox|nivo-lightbox-overlay nivo-lightbox-wrap
javascript-library|Highslide|highslide highslide-gallery highslide-caption highslide-heading highslide-maincontent
javascript-library|ThickBox|TB_window TB_overlay TB_ajaxContent
javascript-library|Slimbox|lbCenter lbBottomContainer
javascript-library|FsLightbox|data-fslightbox fslightbox-container
javascript-library|nanogallery2|nGY2 data-nanogallery2
javascript-library|Venobox|vbox-item vbox-overlay
javascript-library|Remodal|remodal-overlay remodal-wrapper remodal-is-initialized data-remodal-id data-remodal-target data-remodal-action
javascript-library|iziModal|iziModal iziModal-content iziModal-overlay data-izimodal-open
javascript-library|iziToast|iziToast iziToast-wrapper
javascript-library|Fancybox|fancybox-wrap fancybox-skin fancybox-slide fancybox-stage fancybox__container
javascript-library|SweetAlert|swal-overlay sweet-overlay
javascript-library|AlertifyJS|ajs-dialog ajs-modal
javascript-library|jGrowl|jGrowl jGrowl-notification
javascript-library|Gritter|gritter-item gritter-notice-wrapper gritter-item-wrapper
javascript-library|Notyf|notyf__toast notyf-announcer
javascript-library|Toastify JS|toastify-right toastify-left
javascript-library|Tipsy|tipsy-inner tipsy-arrow
javascript-library|Hint.css|hint--top hint--bottom hint--left hint--right hint--rounded hint--always
javascript-library|Balloon.css|data-balloon-pos data-balloon-length
javascript-library|microtip|data-microtip-position
javascript-library|mmenu.js|mm-listview mm-listitem mm-navbar__title mm-menu_offcanvas mm-wrapper__blocker
javascript-library|Slidebars|sb-slidebar sb-toggle-left sb-toggle-right sb-site-container
javascript-library|Pushy|pushy-left pushy-right pushy-submenu pushy-link
javascript-library|Multi-Level Push Menu|multilevelpushmenu_wrapper
javascript-library|FlexNav|flexnav flexnav-show
javascript-library|Tablesaw|tablesaw tablesaw-stack tablesaw-swipe data-tablesaw-mode data-tablesaw-sortable
javascript-library|Tabulator|tabulator-row tabulator-cell tabulator-header tabulator-tableholder
javascript-library|Handsontable|htCore ht_master
javascript-library|Grid.js|gridjs-container gridjs-table gridjs-wrapper
javascript-library|Muuri|muuri-item muuri-item-shown
javascript-library|Slim Select|ss-single-selected
javascript-library|bootstrap-select|bs-placeholder
javascript-library|SumoSelect|SumoSelect SlectBox SumoUnder
javascript-library|Selectric|selectric-wrapper selectric-items selectric-scroll
javascript-library|iCheck|icheckbox_square- icheckbox_minimal- icheckbox_flat- iradio_square- iradio_minimal- iradio_flat- iCheck-helper
javascript-library|Switchery|switchery switchery-default
javascript-library|Bootstrap Switch|bootstrap-switch-handle-on bootstrap-switch-container bootstrap-switch-wrapper
javascript-library|Bootstrap Datetimepicker|bootstrap-datetimepicker-widget
javascript-library|Tempus Dominus|tempus-dominus-widget data-td-target-input
javascript-library|Date Range Picker|drp-calendar drp-buttons drp-selected
javascript-library|flatpickr|flatpickr-calendar flatpickr-input
javascript-library|Pikaday|pika-single pika-lendar pika-button
javascript-library|Air Datepicker|air-datepicker-global-container air-datepicker-cell
javascript-library|noUiSlider|noUi-target noUi-base noUi-connect noUi-handle
javascript-library|Ion.RangeSlider|irs--flat irs--round irs-line irs-single irs-hidden-input
javascript-library|rangeslider.js|rangeslider__fill rangeslider__handle
javascript-library|jQuery Mask Plugin|data-mask-reverse data-mask-clearifnotmatch data-mask-selectonfocus
javascript-library|jQuery Unobtrusive Validation|field-validation-valid data-valmsg-for data-valmsg-summary data-valmsg-replace data-val-required data-val-length-max data-val-regex-pattern
javascript-library|jQuery Unobtrusive Ajax|data-ajax-update data-ajax-mode data-ajax-success data-ajax-begin data-ajax-failure
javascript-library|jQuery Validation Engine|formErrorContent formErrorArrow
javascript-library|jQuery Form Validator|data-validation-error-msg data-validation-error-msg-container data-validation-optional-if-answered
javascript-library|BootstrapValidator|data-bv-field data-bv-message data-bv-notempty data-bv-notempty-message bv-form
javascript-library|FormValidation|fv-plugins-message-container fv-plugins-bootstrap fv-plugins-bootstrap5 data-fv-notempty data-fv-field fv-form
javascript-library|Dropzone|dz-clickable dz-default dz-preview
javascript-library|Fine Uploader|qq-uploader qq-upload-button qq-upload-list
javascript-library|Uploadify|uploadify-button uploadify-queue
javascript-library|autoComplete.js|autoComplete_wrapper autoComplete_list_1
javascript-library|EasyAutocomplete|easy-autocomplete easy-autocomplete-container
javascript-library|Algolia Autocomplete|aa-Autocomplete aa-Panel aa-DetachedSearchButton
javascript-library|Tagify|tagify__input tagify__tag
javascript-library|Bootstrap Tags Input|bootstrap-tagsinput
javascript-library|Tag-it|tagit-new tagit-choice tagit-label
javascript-library|International Telephone Input|iti__flag-container iti__selected-flag iti__country-list
javascript-library|ScrollReveal|data-sr-id
javascript-library|Sal.js|data-sal data-sal-delay data-sal-easing sal-animate
javascript-library|skrollr|data-top-bottom data-bottom-top data-center-top data-top-top data-center-bottom skrollable skrollable-between
javascript-library|Stellar.js|data-stellar-background-ratio data-stellar-ratio data-stellar-vertical-offset
javascript-library|parallax.js|parallax-mirror
javascript-library|Paroller.js|data-paroller-factor data-paroller-type data-paroller-direction
javascript-library|Rellax|data-rellax-speed data-rellax-percentage
javascript-library|Locomotive Scroll|c-scrollbar_thumb data-scroll-call has-scroll-smooth has-scroll-init
javascript-library|OverlayScrollbars|os-scrollbar data-overlayscrollbars data-overlayscrollbars-initialize
javascript-library|perfect-scrollbar|ps__thumb-y ps-scrollbar-y-rail
javascript-library|Vanilla Tilt|data-tilt-max data-tilt-glare data-tilt-perspective
javascript-library|Odometer|odometer-inside odometer-digit odometer-auto-theme
javascript-library|Barba.js|data-barba-namespace data-barba-prevent
javascript-library|Retina.js|data-rjs
javascript-library|jPlayer|jp-audio jp-type-single jp-type-playlist jp-video-play jp-no-solution
javascript-library|MediaElement.js|mejs__container mejs__overlay mejs__controls mejs-controls mejs-mediaelement
javascript-library|Flowplayer|fp-ui fp-engine
javascript-library|SoundManager 2|sm2-bar-ui sm2-playlist-bd ui360
javascript-library|Green Audio Player|green-audio-player
javascript-library|APlayer|aplayer aplayer-body aplayer-list
javascript-library|DPlayer|dplayer-video-wrap dplayer-controller
javascript-library|Fluid Player|fluid_video_wrapper fluid_controls_container
javascript-library|TinyMCE|mceEditor mceContentBody mce-content-body mce-tinymce
javascript-library|CKEditor|cke_editable cke_reset cke_chrome ck-editor__editable
javascript-library|Quill|ql-editor ql-snow ql-container ql-toolbar ql-align-center ql-align-justify ql-indent-1 ql-size-large
javascript-library|Summernote|note-editor note-editable
javascript-library|Froala Editor|fr-view fr-fic fr-dib fr-dii fr-draggable
javascript-library|Trumbowyg|trumbowyg-editor trumbowyg-box
javascript-library|Redactor|redactor-editor redactor-box redactor_editor redactor-toolbar
javascript-library|markItUp!|markItUp markItUpEditor markItUpHeader
javascript-library|NicEdit|nicEdit-main nicEdit-panel
javascript-library|Medium Editor|medium-editor-toolbar medium-editor-element medium-insert-images
javascript-library|EasyMDE|EasyMDEContainer
javascript-library|Editor.js|codex-editor ce-block__content
javascript-library|Ace Editor|ace_content ace_scroller ace_gutter
javascript-library|C3.js|c3-chart c3-axis c3-legend-item c3-target
javascript-library|Morris.js|morris-hover
javascript-library|Flot|flot-base flot-overlay flot-tick-label
javascript-library|jqPlot|jqplot-target jqplot-title jqplot-axis
javascript-library|Leaflet.markercluster|marker-cluster-small marker-cluster-medium marker-cluster-large
javascript-library|OpenLayers|olMap olMapViewport olControlAttribution
javascript-library|jVectorMap|jvectormap-container jvectormap-tip jvectormap-label jvectormap-zoomin
javascript-library|JQVMap|jqvmap-label jqvmap-zoomin jqvmap-region
javascript-library|FullCalendar|fc-daygrid fc-event-container fc-toolbar-chunk fc-daygrid-day fc-col-header-cell
javascript-library|Knight Lab TimelineJS|vco-timeline vco-storyjs tl-storyslider
javascript-library|JuxtaposeJS|jx-slider jx-handle jx-image jx-knightlab
javascript-library|Modaal|modaal-wrapper modaal-container data-modaal-content-source data-modaal-type
javascript-library|Pannellum|pnlm-container pnlm-render-container
javascript-library|fullPage.js|fp-tableCell fp-enabled fp-controlArrow
javascript-library|One Page Scroll|onepage-wrapper onepage-pagination
javascript-library|impress.js|impress-not-supported impress-enabled
javascript-library|Shepherd|shepherd-element shepherd-modal-overlay-container
javascript-library|Fancytree|fancytree-container fancytree-node
javascript-library|Jcrop|jcrop-holder jcrop-tracker
javascript-library|RRSSB|rrssb-buttons rrssb-icon rrssb-text
javascript-library|SocialSharePrivacy|social_share_privacy_area
javascript-library|Pym.js|data-pym-src
javascript-library|Typeface.js|typeface-js
wordpress-plugin|Photection|photection-modal photection-message
cms|Plone Mosaic|mosaic-grid-row mosaic-grid-cell
javascript-library|Senna.js|data-senna-track data-senna-off data-senna-surface
javascript-library|pickadate.js|data-pat-pickadate picker__holder picker__wrap
web-framework|Simple Form|?simple_form
social|Flipboard Widgets|data-flip-widget
wordpress-plugin|Subscribe to Double-Opt-In Comments|subscribe-to-doi-comments
wordpress-plugin|Better Social Counter|better-social-counter
wordpress-plugin|Better News Ticker|better-newsticker
web-framework|React|data-react-class data-react-props
wordpress-plugin|Orbit Fox|obfx-menu-icon
drupal-module|OpenCalais|field-name-opencalais-
advertising|Swoop|swoopContainer swoopAd
javascript-library|CodyHouse Back to Top|cd-top
javascript-library|Unite Gallery|unitegallery ug-gallery-wrapper
javascript-library|P7 Equal Height Columns|p7ehc- P7EHCd_
javascript-library|Jasny Bootstrap|fileinput-new fileinput-exists navmenu-fixed-left navmenu-fixed-right
javascript-library|Cocoon|data-association-insertion-template data-association-insertion-node
javascript-library|Best In Place|best_in_place data-bip-attribute data-bip-object
forms|django-crispy-forms|?div_id_
wordpress-plugin|Most And Least Read Posts Widget|most_and_least_read_posts_
wordpress-plugin|Comment Reply Email Notification|cren_subscribe_to_comment
wordpress-plugin|reCAPTCHA in WP comments form|reCAPTCHA-style
advertising|IP Deutschland AdControl|ipadcontrol
seo|Simplora|simplora-widget
wordpress-plugin|Advanced Sidebar Menu|advanced-sidebar-menu advanced_sidebar_menu
joomla-extension|Flexbanners|flexbannergroup flexbanneritem flexbannerlink
typo3-extension|OM Cookie Manager|tx-om-cookie-consent tx-om-cookie-panel om-cookie-panel data-omcookie-panel
wordpress-plugin|Easy Accordion|sp-easy-accordion sp-ea-single sp-ea-one
wordpress-plugin|Popup Maker|popmake-close popmake-overlay
wordpress-plugin|WPZOOM Instagram Widget|zoom-instagram-widget zoom-instagram-widget__items
wordpress-plugin|WPZOOM Shortcodes|wpz-sc-box
wordpress-plugin|Social Locker|onp-sl-social-locker onp-locker-call onp-sl-content
cms|Beaver Builder|fl-row-content-wrap fl-col-group fl-module-content
cms|Bricks|brx-body
wordpress-plugin|Worth The Read|wtr-content wtr-progress
wordpress-plugin|List Custom Taxonomy Widget|list-custom-taxonomy-widget
wordpress-plugin|PublishPress Authors|pp-multiple-authors-
wordpress-plugin|Ultimate Ads Manager|widget_codeneric_ad_widget
wordpress-plugin|Breadcrumb Trail|trail-begin trail-end
javascript-library|Draft.js|public-DraftStyleDefault- public-DraftEditor- DraftEditor-root
javascript-library|Pygments|codehilite
javascript-library|Infinite Scroll|infinite-scroll-request infinite-scroll-last infinite-scroll-error
javascript-library|FastClick|?needsclick
javascript-library|Social Likes|social-likes social-likes_ social-likes__
javascript-library|CloudZoom|cloud-zoom cloud-zoom-gallery
wordpress-plugin|One Click Accessibility|pojo-a11y-toolbar pojo-a11y-
wordpress-plugin|Comments Like Dislike|cld-like-dislike-wrap cld-common-wrap cld-like-trigger
advertising|IQ Digital|iqd_mainAd iqd_align_Ad iqd_topAd iqd_rightAd
wordpress-plugin|Super Cool Ad Inserter|scaip
wordpress-plugin|SyntaxHighlighter Evolved|syntaxhighlighteranchor
wordpress-plugin|Prisna GWT|prisna-gwt-
javascript-library|Patternslib|data-pat- pat-plone-modal pat-inject pat-pickadate pat-livesearch pat-moment pat-autotoc
javascript-library|ImageLightbox|data-imagelightbox
social|Vilynx|data-vilynx-id
wordpress-plugin|Live Composer|dslc-modules-section dslc-module-
wordpress-plugin|Ultimate Blocks|ub_call_to_action wp-block-ub- ub-content-toggle
wordpress-plugin|Gutenverse|guten-element
wordpress-plugin|Happyforms|happyforms-form happyforms-form__part
forms|Everest Forms|evf-container everest-form evf-field-container
wordpress-plugin|weForms|weforms-form
wordpress-plugin|Jetpack|grunion-field grunion-field-wrap grunion-field-label
wordpress-plugin|Event Organiser|eo-events eo-event-cat-
wordpress-plugin|WP Ultimate Recipe|wpurp-container wpurp-recipe-
wordpress-plugin|Recipe Card Blocks by WPZOOM|wp-block-wpzoom-recipe-card- wp-block-wpzoom-recipe-card-block-recipe-card
wordpress-plugin|Inline Related Posts|irpp-
wordpress-plugin|Related Posts for WordPress|rp4wp-related-posts rp4wp-
wordpress-plugin|2 Click Social Media Buttons|twoclick_social_bookmarks_post_ twoclick-js
wordpress-plugin|Custom Share Buttons with Floating Sidebar|sk-floating-sidebar
wordpress-plugin|Social Media Widget|socialmedia-buttons smw_left smw_center
communication|bbPress|bbp-forum bbp-topic bbp-reply- bbp-user-page
wordpress-plugin|Final Tiles Gallery|final-tiles-gallery
wordpress-plugin|Gmedia Gallery|gmedia_gallery
wordpress-plugin|Justified Image Grid|justified-image-grid
wordpress-plugin|Huge-IT Slider|huge-it-slide-bg
wordpress-plugin|Cyclone Slider|cycloneslider cycloneslider-
wordpress-plugin|Meteor Slides|meteor-slides meteor-slides-
wordpress-plugin|WP Featherlight|wp-featherlight-captions
wordpress-plugin|Ads Pro|bsaProContainer bsa_pro_ajax_load bsaProItem
wordpress-plugin|Amazon Associates Link Builder|aalb-product-carousel-unit aalb-price-box
wordpress-plugin|EasyAzon|easyazon-link easyazon-image-link
wordpress-plugin|Content Egg|egg-container
wordpress-plugin|Leaflet Maps Marker|lmm-listmarkers
wordpress-plugin|Geo Mashup|geo-mashup-map
wordpress-plugin|WP-Syntax|wp_syntax
wordpress-plugin|Compact WP Audio Player|sc_player_container1
wordpress-plugin|WP User Frontend|wpuf-form wpuf-form-add wpuf-fields
wordpress-plugin|Testimonials Widget|testimonials-widget-testimonial
wordpress-plugin|Flexible Posts Widget|dpe-flexible-posts
wordpress-plugin|Category Posts Widget|cat-post-item cat-post-title cat-post-widget
wordpress-plugin|Advanced iFrame|advanced_iframe
wordpress-plugin|Timeline Express|timeline-express
wordpress-plugin|Cool Timeline|cool-timeline-wrapper
wordpress-plugin|Superfly|sfm-rollback sfm-navicon
cms|Jimdo|j-imageSubtitle j-htmlCode j-textWithImage
cms|BLOX CMS|tncms-block tncms-region
cms|Liferay|lfr-layout-structure-item- lfr-nav lfr-tooltip-scope
cms|SharePoint|ms-rtestate-field ms-webpart-zone ms-WPBody
fonts|Linearicons|lnr-
javascript-library|Pe-icon-7-stroke|pe-7s-
javascript-library|Superfish|sf-js-enabled ?sf-menu
javascript-library|SweetAlert2|swal2-container swal2-popup
javascript-library|Prism|?code-toolbar
maps|Leaflet|leaflet-container leaflet-pane leaflet-control-container
maps|OpenLayers|ol-viewport ol-overlaycontainer
javascript-library|perfect-scrollbar|ps__rail-x ps__rail-y
web-framework|Angular|ng-version ng-server-context ng-tns-
web-framework|Chakra UI|chakra-button chakra-stack chakra-text
reviews|Bazaarvoice|bv-content BVRRContainer BVRRSummaryContainer
social|X Widgets|?twitter-share-button twitter-follow-button twitter-hashtag-button
social|Flickr Embed|flickr_badge_image
surveys|SurveyMonkey|smcx-widget smcx-embed
advertising|Google Ad Manager|div-gpt-ad-
analytics|Cxense|?cxense-widget ?cx-widget
wordpress-plugin|AdSanity|adsanity- ad-sanity
wordpress-plugin|Advanced Ads|advads- advads_
wordpress-plugin|Advanced Gutenberg|advgb- wp-block-advgb-
wordpress-plugin|Advanced Random Posts Widget|arpw-random-post arpw-ul
wordpress-plugin|Ajax Search Lite|asl_w asl_m asl_r
wordpress-plugin|Ajax Search Pro|asp_w asp_m asp_r
wordpress-plugin|All-in-One Event Calendar|ai1ec-
wordpress-plugin|Amelia|amelia-app-booking amelia-booking amelia-container
wordpress-plugin|Author Avatars List|author_avatars
wordpress-plugin|Awesome Weather Widget|awesome-weather-wrap
wordpress-plugin|Black Studio TinyMCE Widget|widget_black_studio_tinymce
wordpress-plugin|Bookly|bookly-form bookly-js-
wordpress-plugin|Bop Search Box Item Type For Nav Menus|bop-nav-search
wordpress-plugin|Breadcrumb NavXT|bcn_widget widget_bcn_widget
wordpress-plugin|Broken Link Checker|broken_link
wordpress-plugin|BuddyPress|bp-nouveau bp-legacy buddypress-wrap
wordpress-plugin|Carousel Slider|carousel-slider-outer
wordpress-plugin|Category Posts Widget|cat-post-widget
wordpress-plugin|Click to Chat|ht-ctc ht-ctc-
wordpress-plugin|Collapsing Categories|collapsing-categories collapscat
wordpress-plugin|Collapsing Archives|collapsing-archives collapsarch
wordpress-plugin|Complianz|cmplz-cookiebanner cmplz-consent-status cmplz-document
wordpress-plugin|Content Views|pt-cv-wrapper pt-cv-view pt-cv-
wordpress-plugin|Cooked|cooked-recipe cooked-app cooked-fsm
wordpress-plugin|Contextual Related Posts|crp_related crp-list widget_crp
wordpress-plugin|Cookie Notice|cookie-notice-container cookies-not-set cn-bottom
wordpress-plugin|Crayon Syntax Highlighter|crayon-syntax crayon-plain
wordpress-plugin|Display Posts|display-posts-listing
wordpress-plugin|Download Monitor|dlm-download dlm-downloads-list dlm-xhr-
wordpress-plugin|Dynamic Widgets|dynwid-
wordpress-plugin|Easy Digital Downloads|edd_purchase_submit_wrapper edd-add-to-cart edd_download edd_downloads_list edd-submit edd-js
wordpress-plugin|Easy Social Share Buttons|essb_links essb_counters essb-fc
wordpress-plugin|Email Subscribers & Newsletters|es_subscription_form es_form_container emaillist es-field-wrap
wordpress-plugin|Embed Privacy|embed-privacy-container embed-privacy-overlay
wordpress-plugin|Enhanced Text Widget|enhanced-text-widget
wordpress-plugin|Enlighter|EnlighterJSRAW enlighter-default
wordpress-plugin|Essential Blocks|eb-parent-wrapper wp-block-essential-blocks-
wordpress-plugin|Event List|event-list-view el-list-col
wordpress-plugin|Events Manager|em-calendar-wrapper em-calendar em-eventful em-events-list
wordpress-plugin|EWWW Image Optimizer|eio-default ewww_webp
wordpress-plugin|Exclusive Addons for Elementor|exad-
wordpress-plugin|Fancier Author Box|ts-fab-wrapper ts-fab-tabs ts-fab-
wordpress-plugin|Feed Them Social|fts-twitter-div fts-jal-fb-header fts-instagram-wrapper
wordpress-plugin|Flow-Flow|ff-stream ff-stream-wrapper
wordpress-plugin|Fluent Forms|fluentform fluentform-step ff-el-group ff-el-form-control
wordpress-plugin|Forminator|forminator-ui forminator-custom-form
wordpress-plugin|GDPR Cookie Consent|gdpr-cookie-consent-bar gdpr-cookie-info-bar
wordpress-plugin|Genesis eNews Extended|enews-widget
wordpress-plugin|Get Recent Comments|get_recent_comments_wrap widget_get_recent_comments
wordpress-plugin|GiveWP|give-form-wrap give-wrap give-goal-progress
wordpress-plugin|GTranslate|gt_float_switcher gtranslate_wrapper gt-current-lang
wordpress-plugin|Greenshift|gspb-bodyfront gspb_container
wordpress-plugin|Heateor Social Login|heateor_sl_
wordpress-plugin|Honeypot for Contact Form 7|wpcf7-honeypot
wordpress-plugin|Image Widget|widget_sp_image
wordpress-plugin|Instagram Slider Widget|jr-insta-slider jr-insta-thumb widget_jr_insta_slideshow
wordpress-plugin|Ivory Search|is-search-form is-search-input is-form-style
wordpress-plugin|Joinchat|joinchat joinchat__button
wordpress-plugin|JetMenu|jet-menu-item jet-menu-container
wordpress-plugin|JetElements|jet-carousel jet-elements
wordpress-plugin|Kadence Blocks|kb-row-layout-wrap kt-row-layout-inner kt-inside-inner-col kb-buttons-wrap
wordpress-plugin|kk Star Ratings|kk-star-ratings kksr-stars kksr-legend
wordpress-plugin|Latest Tweets Widget|widget_latest_tweets_widget
wordpress-plugin|Leaflet Map|leaflet-map WPLeafletMap
wordpress-plugin|LearnDash|learndash-wrapper ld-course-list-items learndash_content_wrap
wordpress-plugin|LearnPress|learn-press-courses learnpress-page lp-archive-courses
wordpress-plugin|Lightweight Social Icons|lsi-social-icons
wordpress-plugin|List Category Posts|lcp_catlist lcp_post
wordpress-plugin|Login With Ajax|lwa-form lwa-remember lwa-links
wordpress-plugin|LuckyWP Table of Contents|lwptoc lwptoc_i lwptoc-autoWidth
wordpress-plugin|Mailster|mailster-form mailster-wrapper mailster-submit-wrapper
wordpress-plugin|Maps Marker Pro|mapsmarker maps-marker-pro mmp-map
wordpress-plugin|Mashshare|mashsb-container mashsb-box
wordpress-plugin|Max Mega Menu|max-mega-menu mega-toggle-blocks-
wordpress-plugin|MemberPress|mepr-login-form-wrap mepr-form mepr-submit mepr_
wordpress-plugin|Modern Events Calendar|mec-wrap mec-event-article mec-skin-list-wrap
wordpress-plugin|Modula|modula-gallery modula-item
wordpress-plugin|My Calendar|mc-main mc-event my-calendar-header
wordpress-plugin|Newsletter|tnp-subscription tnp-widget tnp-field tnp-widget-minimal tnp-email
wordpress-plugin|NextScripts: Social Networks Auto-Poster|nxs_
wordpress-plugin|Paid Memberships Pro|pmpro_message pmpro_content_message pmpro_btn pmpro-body-has-access pmpro-body-level-
wordpress-plugin|Photo Gallery by 10Web|bwg_container bwg-container
wordpress-plugin|PixCodes|pixcode pixcode--
wordpress-plugin|Podlove Podcast Publisher|podlove-episode podlove-web-player-
wordpress-plugin|PodPress|podPress_content podPress_playerspace podpress
wordpress-plugin|Popup Builder|sgpb-popup sgpb-main-popup-data-container- sg-popup-
wordpress-plugin|Popup Maker|pum-overlay pum-container popmake- pum-theme-
wordpress-plugin|Posts Table with Search & Sort|posts-data-table
wordpress-plugin|Print Friendly|printfriendly printfriendly-
wordpress-plugin|ProfilePress|pp-form-wrapper ppress-
wordpress-plugin|QuadMenu|quadmenu quadmenu-
wordpress-plugin|Quick Adsense|quads-location
wordpress-plugin|Really Simple Social|rssocial
wordpress-plugin|Recent Posts Widget Extended|rpwe-block rpwe-ul rpwe-li widget_rpwe_widget
wordpress-plugin|Recent Posts Widget With Thumbnails|rpwwt-widget
wordpress-plugin|Recent Tweets Widget|widget_tp_widget_recent_tweets tp_recent_tweets
wordpress-plugin|Relevanssi|relevanssi-query-highlight relevanssi_
wordpress-plugin|Responsive Lightbox & Gallery|rl-gallery rl-gallery-container
wordpress-plugin|Responsive Menu|responsive-menu-pro- ?responsive-menu-button responsive-menu-container responsive-menu-box responsive-menu-inner
wordpress-plugin|Restrict Content Pro|rcp_form rcp_restricted
wordpress-plugin|Rich Reviews|testimonial_group rr_review_text
wordpress-plugin|Sassy Social Share|heateor_sss_sharing_container heateor_sss_
wordpress-plugin|Scriptless Social Sharing|scriptlesssocialsharing scriptlesssocialsharing-buttons
wordpress-plugin|Search & Filter|searchandfilter sf-field-search sf-level-0
wordpress-plugin|SearchWP|searchwp-live-search-widget searchwp-live-search-results
wordpress-plugin|Seriously Simple Podcasting|castos-player
wordpress-plugin|ShiftNav|shiftnav shiftnav-toggle shiftnav-
wordpress-plugin|Shortcodes Ultimate|su-row su-column su-button su-box su-spoiler su-note su-tabs su-heading su-divider
wordpress-plugin|Simple Author Box|saboxplugin-wrap saboxplugin-tab
wordpress-plugin|Simple Custom CSS|simple-custom-css
wordpress-plugin|Simple Social Icons|simple-social-icons
wordpress-plugin|Simply Schedule Appointments|ssa_booking_iframe ssa-booking
wordpress-plugin|SiteOrigin Widgets Bundle|so-widget-sow-editor so-widget-sow-image so-widget-sow-button siteorigin-widget-tinymce so-widget-
wordpress-plugin|Site Reviews|glsr glsr-reviews glsr-
wordpress-plugin|Smart Slider 3|n2-ss-slider n2-section-smartslider n2-ss-align
wordpress-plugin|Smash Balloon Facebook Feed|cff-wrapper cff-item
wordpress-plugin|Smash Balloon Instagram Feed|sbi_item sb_instagram
wordpress-plugin|Smash Balloon Twitter Feeds|ctf-tweets ctf-item
wordpress-plugin|Social Icons Widget by WPZOOM|zoom-social-icons-list zoom-social_icons-list
wordpress-plugin|Social Media Feather|synved-social-button synved-social-
wordpress-plugin|Social Snap|ss-inline-share-wrapper ss-floating-bar
wordpress-plugin|Stackable|ugb-container wp-block-ugb- wp-block-stackable-
wordpress-plugin|Starbox|abh_box abh_tabs abh_
wordpress-plugin|Strong Testimonials|strong-view strong-content wpmtst-testimonial
wordpress-plugin|Subscribe2|s2_form_widget subscribe2 s2form
wordpress-plugin|Subscribe to Comments Reloaded|subscribe-reloaded subscribe-to-comments
wordpress-plugin|Super Progressive Web Apps|superpwa-
wordpress-plugin|Super RSS Reader|super-rss-reader-widget srr-wrap srr-title
wordpress-plugin|Super Socializer|the_champ_sharing_container the_champ_ theChampSharing
wordpress-plugin|Table of Contents Plus|toc_container toc_list toc_widget
wordpress-plugin|TaxoPress|st-post-tags st-tag-cloud ?st-related-posts
wordpress-plugin|Testimonial Rotator|testimonial_rotator testimonial_rotator_
wordpress-plugin|The Events Calendar|tribe-events tribe-events-list-widget tribe-common tribe-no-js tribe-mini-calendar
wordpress-plugin|The Post Grid|rt-tpg-container tpg-el-main-wrapper
wordpress-plugin|Theme My Login|tml-login tml-action
wordpress-plugin|Thrive Comments|tcm-comments thrive-comments
wordpress-plugin|Thrive Leads|tve-leads-conversion-object tve_leads_form_container
wordpress-plugin|Tutor LMS|tutor-wrap tutor-course-name tutor-course-loop
wordpress-plugin|UberMenu|ubermenu ubermenu-
wordpress-plugin|Ultimate Addons for Elementor|uael-
wordpress-plugin|Ultimate Addons for WPBakery|uvc-heading ult-item-wrap uavc-icons aio-icon-component
wordpress-plugin|Ultimate Blocks|wp-block-ub-
wordpress-plugin|Ultimate Member|um-form um-profile um-field um-page-loggedin
wordpress-plugin|Ultimate Posts Widget|upw-posts widget_ultimate_posts
wordpress-plugin|Ultimate Social Media Icons|sfsi_widget sfsi_wicons sfsi_actvite_theme_default sfsi_
wordpress-plugin|User Access Manager|uam_
wordpress-plugin|Visual Portfolio|vp-portfolio vp-portfolio__items
wordpress-plugin|Viper's Video Quicktags|vvqbox vvqyoutube
wordpress-plugin|WebberZone Top 10|tptn_posts tptn_counter tptn_posts_daily tptn_after_thumb
wordpress-plugin|Widget Options|extendedwopts-show extendedwopts-hide
wordpress-plugin|WordPress Popular Posts|wpp-list popular-posts-sr wpp-cardview
wordpress-plugin|WordPress Download Manager|w3eden wpdm-download-link
wordpress-plugin|WordPress Related Posts|wp_rp_content wp_rp_wrap wp_rp
wordpress-plugin|WP About Author|wp-about-author-containter-top wp-about-author-
wordpress-plugin|WP Chat App|nta_wa_button wa__btn_popup
wordpress-plugin|WP Content Copy Protection|wpcp-
wordpress-plugin|WP Customer Reviews|wpcr3_respond_1 wpcr3_reviews
wordpress-plugin|WP Instagram Widget|null-instagram-feed instagram-pics instagram-size-large
wordpress-plugin|WP Job Manager|job_listings job_listing-location job-manager-form
wordpress-plugin|WP Mobile Menu|mobmenu-container mob-menu-header-holder mob-menu-slideout mobmenu
wordpress-plugin|WP Maps|wpgmp-map-1 wpgmp_map_container
wordpress-plugin|WP Review|review-total-wrapper wp-review-
wordpress-plugin|WP Show Posts|wp-show-posts wp-show-posts-inner
wordpress-plugin|WP Simple Booking Calendar|wpsbc-calendar wpsbc-container
wordpress-plugin|WP ULike|wpulike wp_ulike_btn wp_ulike_general_class
wordpress-plugin|WP User Avatar|wp-user-avatar
wordpress-plugin|WP YouTube Lyte|lyte-wrapper lyte_
wordpress-plugin|WP-PageNavi|wp-pagenavi
wordpress-plugin|WP-Polls|wp-polls wp-polls-form wp-polls-ans wp-polls-loading
wordpress-plugin|WP-PostRatings|post-ratings post-ratings-loading
wordpress-plugin|wpDataTables|wpDataTable wpDataTables wpDataTablesWrapper
wordpress-plugin|WPtouch|wptouch- wptouch-showing
wordpress-plugin|Yet Another Stars Rating|yasr-vv-stars-title-container yasr-stars-title yasr-
wordpress-plugin|Yoast SEO|yoast-breadcrumbs yoast-table-of-contents wpseo_breadcrumb
wordpress-plugin|YITH WooCommerce Wishlist|yith-wcwl-add-to-wishlist yith-wcwl-
wordpress-plugin|YOP Poll|yop-poll-container yop_poll_ yop-poll-
wordpress-plugin|Zemanta|zemanta-related-title zemanta-pixie zemanta-img
wordpress-plugin|ZipList Recipe Plugin|zlrecipe-container zlrecipe-
wordpress-plugin|AdRotate|widget_adrotate_widgets
wordpress-plugin|Advanced Ads|widget_advads_ad_widget
wordpress-plugin|Ad Inserter|widget_ai_widget
wordpress-plugin|AddToAny|widget_a2a_share_save_widget widget_a2a_follow_widget
wordpress-plugin|All-in-One Event Calendar|widget_ai1ec_agenda_widget
wordpress-plugin|Author Avatars List|widget_author_avatars
wordpress-plugin|bbPress|widget_display_topics widget_display_replies widget_display_forums bbp_widget_login
wordpress-plugin|Bloom|widget_bloomwidget
wordpress-plugin|BuddyPress|widget_bp_core_members_widget widget_bp_groups_widget widget_bp_core_login_widget widget_bp_core_whos_online_widget
wordpress-plugin|Cool Tag Cloud|widget_cool_tag_cloud cool-tag-cloud
wordpress-plugin|Decent Comments|widget_decent_comments_widget decent-comments
wordpress-plugin|Email Subscribers & Newsletters|widget_email-subscribers widget_email-subscribers-form
wordpress-plugin|Elementor|widget_elementor-library
wordpress-plugin|Events Manager|widget_em_widget widget_em_calendar
wordpress-plugin|Formidable Forms|widget_frm_show_form
wordpress-plugin|GiveWP|widget_give_forms_widget
wordpress-plugin|Gravity Forms|widget_gform_widget gform_widget
wordpress-plugin|Jetpack|widget_eu_cookie_law_widget widget_blog_subscription jetpack_subscription_widget widget_twitter_timeline widget_facebook_likebox widget_top-posts widget_wpcom_social_media_icons_widget widget_rss_links widget_milestone_widget widget_authors widget_goodreads
wordpress-plugin|Jquery Archive List Widget|widget_jaw_widget
wordpress-plugin|LayerSlider|widget_layerslider_widget
wordpress-plugin|List Category Posts|widget_listcategorypostswidget
wordpress-plugin|Login With Ajax|widget_loginwithajaxwidget
wordpress-plugin|Mailchimp List Subscribe Form|widget_mailchimpsf_widget
wordpress-plugin|MailPoet|widget_mailpoet_form widget_wysija widget_wysija_nl_widget
wordpress-plugin|MashShare|widget_mashsb_mostshared_posts_widget
wordpress-plugin|Max Mega Menu|widget_maxmegamenu max-mega-menu
wordpress-plugin|MC4WP: Mailchimp for WordPress|widget_mc4wp_form_widget
wordpress-plugin|Meks Easy Instagram Widget|mks_instagram_widget meks_instagram
wordpress-plugin|Meks Flickr Widget|mks_flickr_widget
wordpress-plugin|Meks Smart Author Widget|mks_author_widget
wordpress-plugin|Meks Smart Social Widget|mks_social_widget
wordpress-plugin|MetaSlider|widget_metaslider_widget
wordpress-plugin|Monarch|widget_monarchwidget
wordpress-plugin|Newsletter|widget_newsletterwidget widget_newsletterwidgetminimal
wordpress-plugin|NextGEN Gallery|widget_ngg_images widget_ngg_slideshow ngg_images
wordpress-plugin|Ninja Forms|widget_ninja_forms_widget
wordpress-plugin|PHP Code Widget|widget_execphp execphpwidget
wordpress-plugin|Polylang|widget_polylang
wordpress-plugin|Shariff Wrapper|widget_shariff
wordpress-plugin|Simple Social Icons|widget_simple-social-icons
wordpress-plugin|SiteOrigin Page Builder|widget_siteorigin-panels-builder
wordpress-plugin|Slider Revolution|widget_revslider widget_rev-slider-widget
wordpress-plugin|Subscribe2|widget_subscribe2
wordpress-plugin|Super RSS Reader|widget_super_rss_reader
wordpress-plugin|TaxoPress|widget-simpletags widget_simpletags
wordpress-plugin|Theme My Login|widget_theme_my_login
wordpress-plugin|The Events Calendar|widget_tribe-events-list-widget widget_tribe-widget-events-list tribe-events-list-widget
wordpress-plugin|Ultimate Social Media Icons|widget_sfsi_widget
wordpress-plugin|Ultimate Tag Cloud Widget|widget_utcw
wordpress-plugin|WebberZone Top 10|widget_widget_tptn_pop tptn_posts_list_widget widget_tptn_posts_list_widget
wordpress-plugin|WooCommerce|widget_shopping_cart widget_product_categories widget_layered_nav widget_price_filter widget_top_rated_products
wordpress-plugin|WordPress Popular Posts|widget_wpp popular-posts-sr
wordpress-plugin|WPML|widget_icl_lang_sel_widget widget_text_icl
wordpress-plugin|WP-Polls|widget_polls-widget
wordpress-plugin|WP-PostRatings|widget_ratings-widget
wordpress-plugin|WP-PostViews|widget_views
wordpress-plugin|WP QUADS|widget_quads_ads_widget
wordpress-plugin|WP-UserOnline|widget_useronline useronline-count
wordpress-plugin|YARPP|widget_yarpp_widget yarpp-related
wordpress-plugin|Zotpress|widget_zotpress
cms|Oxygen|ct-section ct-section-inner-wrap ct-div-block oxy-
wordpress-plugin|Zion Builder|znpb- zb-element
wordpress-theme|Jupiter|mk-page-section mk-main-navigation mk-header-holder
cms|BeTheme|mfn-main-slider mfn-header mfn-builder-content mcb-section
wordpress-theme|Bimber|g1-row g1-body-inner g1-hb-row g1-nav-single
cms|TYPO3|csc-textpic csc-default csc-header csc-textpicHeader ce-textpic ce-bodytext ce-gallery frame-space-before-none frame-layout-0 frame-type-textmedia frame-type-text
cms|Contao|ce_text mod_article mod_navigation mod_newslist ce_image mod_breadcrumb
cms|XenForo|p-body-inner p-navgroup-link p-nav-inner xenOverlay XenForo
cms|WoltLab Suite|wcf wcfMainMenu tplIndex wcfNode-
cms|Jimdo|cc-content-parent cc-content-container jimdo-layout- cc-imagewrapper
cms|Blogger|blogger-clickTrap item-control blog-pager-newer-link quickedit widget-content-blogger
cms|Webflow|w-nav-menu w-dropdown w-inline-block w-layout-grid w-richtext w-dyn-list w-dyn-item
cms|Liferay|lfr-nav lfr-layout-structure-item- portlet-layout portlet-boundary portlet-column-content
cms|Sitefinity|sf_colsIn sfPublicWrapper sfContentBlock sf_cols sfimageWrp
cms|Plone|portaltype-document portaltype-collection portaltype-folder plone-toolbar-
cms|Umbraco|umb-grid umb-block-list umb-grid-
cms|Kentico|ktc-editable-area ktc-widget-
cms|Neos|neos-contentcollection neos-nodetypes-
cms|Drupal|view-display-id-page field--name-body block-system views-exposed-form path-frontpage page-node-type-
cms|Joomla|com_content moduletable blog-featured
cms|1C-Bitrix|bx-core bx-breadcrumb bx_catalog_
cms|Squarespace|sqs-block sqs-layout sqs-row
cms|OXID eShop|oxwidget_headercategorylist oxid-
cms|OpenCart|common-home
e-commerce|PrestaShop|blockcart js-cart-line-product-quantity blockproductscategory
drupal-module|Paragraphs|paragraph--type--text paragraph--type-- paragraphs-item- paragraphs-items
drupal-module|Panels|panels-flexible-row panels-flexible- panel-pane panel-display
drupal-module|Views Slideshow|views-slideshow-cycle-main-frame views_slideshow_cycle_main views_slideshow_
drupal-module|Views Infinite Scroll|views-infinite-scroll-content-wrapper data-drupal-views-infinite-scroll-pager
drupal-module|TB Mega Menu|tb-megamenu tb-megamenu-
drupal-module|We Mega Menu|we-mega-menu-ul we-mega-menu-li
drupal-module|Field Group|field-group-tab field-group-format field-group-htabs field-group-
drupal-module|Simplenews|simplenews-subscribe simplenews-subscriber-form block-simplenews
drupal-module|Fivestar|fivestar-widget fivestar-static-item fivestar-default
drupal-module|Nice Menus|nice-menu nice-menu-down nice-menu-main-menu
drupal-module|Layout Builder|layout-builder__layout layout-builder-
drupal-module|Chaos Tools|ctools-dropdown ctools-use-modal ctools-collapsible-container ctools-auto-submit-full-form
drupal-module|DFP|dfp-tag-wrapper block-dfp
drupal-module|Facet API|facetapi-link facetapi-facetapi-links facetapi-
drupal-module|Flag|flag-wrapper flag-link-toggle flag-action
drupal-module|Flex Slider|flexslider_optionset_ flexslider-optionset- optionset-default
drupal-module|Superfish|sf-menu-superfish superfish-main-menu sf-accordion-toggle
drupal-module|Webform|webform-submission-form webform-client-form webform-component- webform-button--submit
drupal-module|AddToAny|addtoany_list addtoany_share_save
drupal-module|Social Media Links|social-media-links--platforms social-media-link-icon-
drupal-module|Search API|search-api-page-search-form search-api-
typo3-extension|TYPO3 News|news-list-view news-text-wrap news-img-wrap articletype-0 news-clear news-latest-container
typo3-extension|Powermail|powermail_conditions_container powermail_form powermail_fieldset powermail_fieldwrap tx-powermail
typo3-extension|Faceted Search|tx-kesearch-pi1 kesearch_searchbox ke_search_sword
typo3-extension|Apache Solr for TYPO3|tx-solr tx-solr-search-form tx-solr-
typo3-extension|tt_news|tx-ttnews-browsebox
joomla-extension|K2|k2ItemsBlock itemListView k2Container k2TagCloudBlock
joomla-extension|SP Page Builder|sppb-addon sppb-section sp-page-builder sppb-row sppb-
joomla-extension|T3 Framework|t3-wrapper t3-mainbody t3-megamenu t3-header
joomla-extension|Helix|sp-megamenu-parent sp-module sp-column offcanvas-menu-helix
joomla-extension|AcyMailing|acymailing_form acymailing_module acymailing_
joomla-extension|Phoca Gallery|phocagallery phocagallery-box-file pg-csv-box
joomla-extension|Kunena|kunena kfrontend klatest kblock
joomla-extension|JComments|jcomments-links
joomla-extension|RSForm! Pro|rsform-block rsform-button rsform-submit-button rsform-
joomla-extension|ChronoForms|chronoform ChronoForm chronoforms
joomla-extension|BreezingForms|bfQuickMode bfClearfix
joomla-extension|VirtueMart|vm-product-descr-container-1 vm-product-media-container vm-product-
joomla-extension|HikaShop|hikashop_product hikashop_cart_module hikashop_
joomla-extension|JEvents|jevbootstrap jev_row jevdaydata jev_
joomla-extension|Gantry|g-main-nav g-offcanvas-toggle
joomla-extension|EasyBlog|eb-post-title eb-blog-grid ezb-mod
joomla-extension|Simple Image Gallery|sigFreeContainer sigProContainer sigplus-gallery
joomla-extension|Slideshow CK|slideshowck camera_ck
joomla-extension|Maximenu CK|maximenuck maximenuck2
joomla-extension|DJ-ImageSlider|djslider djslider-default
joomla-extension|DJ-MegaMenu|dj-megamenu dj-megamenu-
joomla-extension|YOOtheme Pro|uk-sticky-placeholder-yootheme tm-header-mobile tm-page-container
web-framework|Vue.js|data-v-app data-server-rendered
web-framework|AngularJS|ng-scope ng-binding ng-isolate-scope ng-pristine
web-framework|Stimulus|?data-controller data-stimulus-
web-framework|Hotwire Turbo|data-turbo-track data-turbo-permanent data-turbo-temporary
web-framework|React|data-reactid data-react-checksum data-react-helmet data-react-class
javascript-library|Knockout|?data-bind
javascript-library|Element UI|el-button el-carousel__item el-menu-item
javascript-library|Vuetify|v-application v-application--wrap v-btn__content v-main__wrap v-toolbar__content
javascript-library|Quasar|q-layout q-page-container q-btn__content
javascript-library|Material Design Lite|mdl-layout mdl-js-layout mdl-button mdl-grid mdl-cell
javascript-library|Material Components Web|mdc-button mdc-top-app-bar mdc-text-field mdc-ripple-
javascript-library|Angular Material|mat-button mat-typography mat-toolbar mat-form-field-
javascript-library|PrimeVue|data-pc-name data-pc-section
javascript-library|PrimeIcons|?pi-search pi-chevron-down pi-bars pi-times pi-user
javascript-library|Kendo UI|k-widget k-grid-header k-dropdown-wrap
javascript-library|Dojo|dijitReset dijitInline dojoxGrid
javascript-library|YUI|yui3-skin-sam yui3-js-enabled yui3-widget yui-skin-sam yui3- yui-gb yui-t7
javascript-library|jQuery UI|?ui-widget ui-widget-content ui-datepicker ui-autocomplete
javascript-library|jQuery Mobile|ui-mobile ui-mobile-viewport ui-page-theme-a
javascript-library|Sidr|?sidr sidr-left
javascript-library|Hamburgers|hamburger--spin hamburger--squeeze hamburger--collapse hamburger--elastic hamburger--slider hamburger-inner
javascript-library|Locomotive Scroll|data-scroll-section data-scroll-container
javascript-library|WOW.js|data-wow-delay data-wow-duration data-wow-offset ?wow
javascript-library|Animate.css|animate__animated ?fadeInUp fadeInLeft fadeInDown bounceIn ?animated
javascript-library|parallax.js|parallax-window
javascript-library|Jarallax|jarallax jarallax-img
javascript-library|Lozad.js|?lozad
javascript-library|lazysizes|?lazyload lazyloaded
javascript-library|responsively-lazy|responsively-lazy
javascript-library|Plyr|plyr plyr__controls plyr__video-embed
javascript-library|Swiper|swiper-container swiper-wrapper swiper-pagination swiper-slide swiper-button-next
javascript-library|bxSlider|bx-wrapper bx-viewport ?bxslider
javascript-library|Camera|camera_wrap camera_caption
javascript-library|Fotorama|fotorama fotorama__stage
javascript-library|Galleria|galleria-container galleria-stage
javascript-library|lightSlider|lSSlideOuter lSSlideWrapper lslide
javascript-library|fancyBox|?fancybox fancybox-iframe fancybox-thumb
javascript-library|Swipebox|?swipebox
javascript-library|VenoBox|?venobox
javascript-library|RequireJS|data-requirecontext data-requiremodule
javascript-library|React Helmet|data-react-helmet
javascript-library|react-rails|data-react-class
javascript-library|Lightbox2|lightboxOverlay ?data-lightbox
javascript-library|OverlayScrollbars|os-host os-viewport os-content-glue
javascript-library|Tooltipster|?tooltipster
javascript-library|Bootstrap Select|?selectpicker
javascript-library|Tom Select|ts-wrapper ts-control
javascript-library|jQuery Nice Select|nice-select
javascript-library|Parsley|data-parsley-validate data-parsley-required
javascript-library|Isotope|isotope-item ?isotope
javascript-library|Masonry|data-masonry masonry-brick ?masonry
javascript-library|Google Code Prettify|prettyprint prettyprinted
javascript-library|Prism|?language-javascript language-php language-bash language-css language-markup
javascript-library|MathJax|MathJax MathJax_Preview MathJax_SVG_Display
javascript-library|KaTeX|katex katex-html katex-display
javascript-library|Bootstrap|data-bs-toggle ?navbar-toggler navbar-toggle navbar-collapse carousel-indicators col-md-6 col-md-4 col-sm-6 col-xs-12 col-lg-4 navbar-nav dropdown-toggle data-toggle col-md-12 col-md-3 col-md-8
javascript-library|Foundation|data-equalizer data-interchange data-off-canvas top-bar-section ?title-area data-magellan-expedition small-12 medium-6 large-4
javascript-library|Bulma|is-half-desktop is-one-third-desktop navbar-burger is-flex-touch
javascript-library|UIkit|uk-container uk-grid uk-navbar-container uk-width-medium-1-2 uk-offcanvas data-uk-grid uk-navbar-nav
javascript-library|Pure.css|pure-u-1 pure-g pure-u-1-2 pure-menu-list pure-button
javascript-library|Tachyons|pa3-ns w-50-ns f3-ns mw8-ns
fonts|Font Awesome|?fa far fal fa-angle-right fa-home fa-user fa-play fa-share fa-plus fa-close fa-arrow-right fa-pinterest fa-rss fa-whatsapp fa-google-plus fa-caret-down fa-calendar fa-clock-o fa-map-marker fa-shopping-cart fa-info fa-facebook fa-twitter fa-search fa-bars fa-instagram fa-facebook-f fa-envelope fa-phone fa-chevron-right fa-angle-down fa-youtube fa-linkedin fa-times fas fab
fonts|Ionicons|ion-ios-arrow-back ion-social-facebook ion-android-menu ion-ios-
fonts|Linearicons|lnr-menu lnr-magnifier lnr-cross lnr-chevron-down lnr-
fonts|Glyphicons|?glyphicon glyphicon-search glyphicon-
fonts|Themify Icons|?ti-search ti-facebook ti-menu ti-angle-down ti-close
fonts|Simple Line Icons|?icon-social-facebook icon-social-twitter icon-magnifier
fonts|Elegant Icons|arrow_carrot-down icon_menu-square_alt ?social_facebook social_twitter
fonts|Flaticon|flaticon-
fonts|Fontello|icon-fontello
fonts|Boxicons|bxl-facebook bxl-twitter bx-search bx-menu
fonts|Feather|?feather-menu feather-search feather-
fonts|Typicons|typcn typcn-
fonts|Foundation Icons|fi-social-facebook fi-social-twitter fi-magnifying-glass
fonts|Weather Icons|wi-day-sunny wi-cloudy wi-day-cloudy
fonts|Flag Icons|flag-icon flag-icon-
fonts|ET Line|?et-line
fonts|Entypo|?entypo
fonts|Pe-icon-7-stroke|pe-7s-search pe-7s-
fonts|Font Awesome Animation|faa-pulse faa-ring faa-
communication|Spot.IM|spot-im-frame-inpage data-spotim-module data-spot-id spot-im-
communication|Coral|coral-comments coral_talk_stream coral-count
communication|Viafoura|vf-comments vf-tray-trigger
communication|Livefyre|livefyre-comments livefyre-commentcount data-lf-article-id
communication|Hyvor Talk|hyvor-talk-view hyvor-talk-
reviews|Trusted Shops|ts-rating ts-trustbadge
reviews|ProvenExpert|ProvenExpert_widgetbar_container
reviews|eKomi|eKomiWidget eKomiWidget_default
reviews|Yotpo|yotpo-main-widget yotpo
search|Google Programmable Search|gsc-control gcse-search gcse-searchbox-only gcse-searchresults-only gsc-input
advertising|Criteo|crt-widget cto_bundle
advertising|Nativo|ntv-box ntv-ad ntvBoap
advertising|TripleLift|tl_auto_ad
advertising|Concert|concert-ad m-ad__concert
advertising|Polar|plr-native plr-sponsored
advertising|VigLink|vglnk
advertising|Skimlinks|skimlinks-unlinked skimlinks-
advertising|Tracdelight|tracdelight-
social|Imgur Embed|imgur-embed-pub
social|Pinterest Widgets|data-pin-config data-pin-hover ?data-pin-do
social|Tumblr Button|tumblr-share-button tumblr-post
data-platform|Flourish|flourish-embed
social|Infogram|infogram-embed
social|Datawrapper|datawrapper datawrapper-
social|Issuu|issuuembed
social|Scribd|scribd_iframe_embed
social|Iframely|iframely-embed iframely-responsive
social|Storify|storify
social|Spreaker|spreaker-player
social|Audioboom|audioboom-player ai-embed-audioboom
email-marketing|MailerLite|ml-form-embed ml-subscribe-form ml-form-embedWrapper ml-form-embedContainer ml-block-success
email-marketing|Mailchimp|mc-field-group mc_embed_signup mc_embed_signup_scroll mce-EMAIL
email-marketing|Constant Contact|ctct-inline-form ctct-form-embed ctct-form-container
email-marketing|Campaign Monitor|js-cm-form js-cm-email-input
email-marketing|Brevo|sib-form sib_signup_form sib-form-container
email-marketing|CleverReach|cr_form cr_button cr_ipe_item
email-marketing|Newsletter2Go|n2go
email-marketing|AWeber|AW-Form-
email-marketing|Rapidmail|rapidmail-form rm-subscriber-form
email-marketing|GetResponse|getresponse-form
marketing-automation|Salesforce Account Engagement|pardotform
marketing-automation|Oracle Eloqua|elq-form elqForm
forms|Zoho Forms|zf-templateWidth zf-flLabelWrapper
forms|Formstack|fsForm fsBody fsSubmitButton
forms|Wufoo|wufoo
forms|Jotform|jotform-form
customer-support|LiveChat|livechat_chat_button livechat_button
customer-support|Tawk.to|tawkchat
customer-support|Userlike|userlike-tab userlike
customer-support|Olark|olark
accessibility|accessiBe|acsb-trigger acsb-
accessibility|UserWay|uwy userway_buttons_wrapper
accessibility|ReadSpeaker|rsbtn rsbtn_play rs_skip rs_preserve rs_skip_always rsbtn_
accessibility|ReachDeck|ba-toolbar browsealoud
translation|Google Translate|goog-te-combo google_translate_element goog-te-menu-value
search|Algolia|ais-SearchBox ais-InstantSearch ais-Hits
javascript-library|DocSearch|DocSearch-Button DocSearch-Container
social|ShareThis|st_facebook_large st_twitter_large st_sharethis_large st_facebook_hcount st_twitter_hcount st_facebook st_sharethis sharethis-inline-share-buttons
social|Sharrre|sharrre
social|Po.st|pw-button-facebook pw-button-twitter pw-widget
social|SAP Customer Data Cloud|gigya-composite gigya-screen-set gigya-
analytics|Piano|tp-container-inner tp-modal tp-backdrop piano-container
communication|Plenigo|plenigo-
communication|Laterpay|laterpay- lp_purchase-overlay
communication|Leaky Paywall|leaky_paywall_subscription leaky_paywall_message_wrap leaky_paywall
subscription-billing|Steady|steady_paywall steady-checkout-active
consent-management|Sourcepoint|sp_message_container_ sp_veil sp_choice_type_
wordpress-plugin|WP Asset Manager|wp-asset-manager
wordpress-plugin|Thrive Headline Optimizer|tho-end-content
seo|All in One SEO|aioseop-schema aioseo-schema
seo|Rank Math|rank-math-schema rank-math-schema-pro
consent-management|Klaro|klaro cookie-modal-klaro
consent-management|CookieYes|cookie-law-info-bar cky-consent-container cli-user-preference-checkbox cli_settings_button
consent-management|Moove GDPR|moove_gdpr_cookie_info_bar moove_gdpr_cookie_modal
consent-management|consentmanager|cmpbox cmpboxbtns cmplazyload cmp-menutxt
consent-management|Cookie Script|cookiescript_injected cookiescript_badge
`;

interface Mark {
  readonly name: string;
  readonly category: string;
  readonly strength: "strong" | "weak";
}
let marks: ReadonlyMap<string, Mark> | undefined;
/** One byte for each {@link markBit} of a mark. */
const MARK_BITS = 15;
const markBits = new Uint8Array(1 << MARK_BITS);
const markBit = (hash: number) => hash >>> (32 - MARK_BITS);
/** Of a text, from the hash of the text without its last character, first 0. */
const markHash = (hash: number, code: number) => Math.imul(hash ^ code, 0x9e3779b1);

/** The lines of the table; the marks after `?` still have it. */
export const classRows = () =>
  MARKS.trim()
    .split("\n")
    .map((line) => {
      const [category = "", name = "", tokens = ""] = line.split("|");
      return { category, name, tokens: tokens.split(" ") };
    });

/** By class, or by beginning with its `-` or `_`. */
function marksByToken(): ReadonlyMap<string, Mark> {
  const byToken = new Map<string, Mark>();
  for (const { category, name, tokens } of classRows()) {
    let strength: Mark["strength"] = "strong";
    for (const token of tokens) {
      if (token.startsWith("?")) strength = "weak";
      const mark = token.replace("?", "");
      byToken.set(mark, { name, category, strength });
      let hash = 0;
      for (let at = 0; at < mark.length; at++) hash = markHash(hash, mark.charCodeAt(at));
      markBits[markBit(hash)] = 1;
    }
  }
  return byToken;
}

/** Classes of the body by which WordPress and an extension name the theme: `wp-theme-astra`, `tribe-theme-divi`. */
const THEME = /^(?:wp|tribe|ehf-template|wc)-theme-([a-z0-9][a-z0-9_-]{2,40})$/;
/** WooCommerce and themes write `theme-astra`, and sites any word. */
const KNOWN_THEME = /^theme-([a-z0-9][a-z0-9_-]{2,40})$/;
/** WordPress names the class of a widget after what registered it: `widget_mailpoet_form`, `widget_yarpp_widget`. */
const WIDGET = /^widget[_-]([a-z0-9][a-z0-9_-]{3,40}?)(?:[-_]widgets?)?$/;
/** TYPO3 wraps the output of an extension: `tx-felogin-pi1`. */
const TYPO3 = /^tx[-_]([a-z][a-z0-9_]{3,40}?)(?:[-_]pi\d)?$/;
/** Extensions whose folder has underscores that the class lacks. */
const CORE_OF_TYPO3 = new Set([
  "felogin",
  "indexedsearch",
  "cssstyledcontent",
  "fluidstyledcontent",
  "form",
  "frontend",
]);

/** What the classes begin with that name a theme, an extension or a widget themselves. */
const NAMING = /^(?:wp-theme|tribe-theme|ehf-template|wc-theme|theme|tx|widget)[-_]/;

/** The theme, extension or widget that a class of a platform names. */
function namedIn(token: string, isKnown: boolean, names: NameIndex): Mark | undefined {
  const widget = isKnown ? undefined : WIDGET.exec(token)?.[1]?.replaceAll("_", "-");
  if (widget !== undefined) {
    const tool = names.exact(compactName(widget));
    const name = tool?.category === "wordpress-plugin" ? tool.name : WORDPRESS_PLUGINS.get(widget);
    return name === undefined ? undefined : { name, category: "wordpress-plugin", strength: "strong" };
  }
  const theme = THEME.exec(token)?.[1];
  const slug = theme ?? KNOWN_THEME.exec(token)?.[1];
  if (slug !== undefined) {
    const tool = names.exact(compactName(slug));
    const known = WORDPRESS_THEMES.get(slug) ?? (tool?.category === "wordpress-theme" ? tool.name : undefined);
    const name = known ?? (theme === undefined ? undefined : readableSlug(slug));
    return name === undefined ? undefined : { name, category: "wordpress-theme", strength: "strong" };
  }
  const typo3 = TYPO3.exec(token)?.[1];
  if (typo3 === undefined || CORE_OF_TYPO3.has(typo3)) return undefined;
  const name = TYPO3_EXTENSIONS.get(typo3);
  return { name: name ?? readableSlug(typo3), category: "typo3-extension", strength: name ? "strong" : "weak" };
}

/** So many words of one vocabulary, `col-md-6 navbar-nav dropdown-toggle carousel-indicators`, are no chance. */
const ENOUGH = 4;
const MAX_TOKENS = 20_000;
const MAX_BEGINNING = 40;
const HYPHEN = 45;
const UNDERSCORE = 95;

/**
 * The tokens of a text, without the `#` of ids, that may be a mark, begin with one, or name something themselves; in order.
 * A few of a hundred are: the others are not even cut out.
 */
function tokensOfUse(text: string): readonly string[] {
  const { length } = text;
  const codes = codesOf(text);
  // As if the text were split at its white space: what is before the first one counts, if only as nothing.
  let tokens = isSpace(codes[0]!) ? 1 : 0;
  const found: string[] = [];
  for (let at = 0; at < length && tokens < MAX_TOKENS; at++) {
    if (isSpace(codes[at]!)) continue;
    tokens += 1;
    const start = codes[at] === HASH ? at + 1 : at;
    let isOfUse = mayName(codes[start]!, codes[start + 1]!);
    let hash = 0;
    for (at = start; at < length; at++) {
      const code = codes[at]!;
      if (isSpace(code)) break;
      hash = markHash(hash, code);
      if ((code === HYPHEN || code === UNDERSCORE) && markBits[markBit(hash)] === 1) isOfUse = true;
    }
    if (isOfUse || markBits[markBit(hash)] === 1) found.push(text.slice(start, at));
  }
  return found;
}
const HASH = 35;
/** Whether a token with these first two characters may be one of {@link NAMING}. */
const mayName = (first: number, second: number) => BEGINNINGS.has((first << 16) | second);
const BEGINNINGS = new Set(
  ["wp", "tr", "eh", "wc", "th", "tx", "wi"].map((start) => (start.charCodeAt(0) << 16) | start.charCodeAt(1)),
);

/**
 * Tools by the classes, ids and data attributes of their mark-up.
 *
 * @param text as of `html.names`: separated by white space, ids after `#`
 * @param tokens of the text that are read
 */
export function classMarksIn(
  text: string,
  names: NameIndex,
  tokens: (text: string) => readonly string[] = tokensOfUse,
): ClassMark[] {
  marks ??= marksByToken();
  const found = new Map<string, ClassMark>();
  const weak = new Map<string, Set<string>>();
  const add = (mark: Mark, token: string) => {
    if (mark.strength === "weak") {
      const seen = weak.get(mark.name) ?? new Set();
      weak.set(mark.name, seen.add(token));
      if (seen.size >= ENOUGH) found.set(mark.name, { ...mark, strength: "strong", token });
    }
    const before = found.get(mark.name);
    if (before === undefined || (before.strength === "weak" && mark.strength === "strong"))
      found.set(mark.name, { ...mark, token });
  };
  for (const token of tokens(text)) {
    const last = token.charCodeAt(token.length - 1);
    const whole = last === HYPHEN || last === UNDERSCORE ? undefined : marks.get(token);
    if (whole) add(whole, token);
    const end = Math.min(token.length - 1, MAX_BEGINNING);
    for (let at = 1; at < end; at++) {
      const code = token.charCodeAt(at);
      if (code !== HYPHEN && code !== UNDERSCORE) continue;
      const mark = marks.get(token.slice(0, at + 1));
      if (mark) add(mark, token);
    }
    const named = NAMING.test(token) ? namedIn(token, whole !== undefined, names) : undefined;
    if (named) add(named, token);
  }
  return [...found.values()];
}
