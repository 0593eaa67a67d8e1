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
wordpress-plugin|Really Simple SSL Social|data-rssslsocial
wordpress-plugin|Shortcode in Menus|menu-item-object-gs_sim menu-item-type-gs_sim
wordpress-plugin|Microkid's Related Posts|related-posts-MRP_
wordpress-plugin|Design Palette Pro|gppro-custom
wordpress-plugin|Beaver Themer|fl-theme-builder-header fl-theme-builder-footer fl-theme-builder-singular fl-theme-builder-archive fl-theme-builder-part fl-theme-builder-404
wordpress-plugin|WP-Paginate|wp-paginate wp-paginate-comments
wordpress-plugin|WP My Instagram|wp-my-instagram
wordpress-plugin|Exit Popup|exitpopup-modal exitpopup-modal-window
wordpress-plugin|Extended Widget Options|extendedwopts-desktop extendedwopts-tablet extendedwopts-mobile
wordpress-plugin|Easy Affiliate Links|eafl-link eafl-link-text eafl-link-cloaked eafl-link-direct
cms|Foundation CMS|?fdn-
cms|Blogger Navbar|navbar-iframe-container
javascript-library|xenFocus|data-xenfocus-editor xenfocus-
developer-tools|XenForo Article Management System|template-xa_ams_
developer-tools|XenForo Resource Manager|template-xfrm_
developer-tools|XenForo Showcase|template-xa_sc_
developer-tools|XenForo Review Management System|template-xa_rms_
developer-tools|XenForo User Blogs|template-xa_ubs_
drupal-module|Menu Block|menu-block-wrapper block-menu-block
joomla-extension|Joomla Banners|banneritem
javascript-library|rc-rate|rc-rate rc-rate-star
javascript-library|Stacks|s-topbar--container s-topbar--logo s-topbar--content s-btn__filled s-btn__outlined
social|Share the Facts|sharethefacts_microdata_embed
web-framework|Singapore Government Design System|sgds-masthead sgds-container sgds-footer
web-framework|DSFR|fr-header__brand fr-header__body fr-header__tools fr-skiplinks fr-nav__link fr-btns-group fr-footer__brand data-fr-scheme data-fr-theme
web-framework|Bootstrap Italia|it-header-wrapper it-header-slim-wrapper it-header-center-wrapper it-nav-wrapper it-brand-wrapper it-footer-main
web-framework|Web Experience Toolkit|wb-inv wb-slc wb-lng wb-enable wb-bnr wb-srch wb-dtmd gcweb-menu gc-subway
web-framework|GOV.UK Publishing Components|gem-c-
web-framework|GOV.BR Design System|?br-header br-button br-menu br-footer br-breadcrumb
web-framework|Utrecht Design System|utrecht-heading-1 utrecht-button utrecht-link utrecht-document utrecht-paragraph utrecht-page
wordpress-theme|Trellis|mv-trellis-
wordpress-plugin|Tasty Links|tasty-links-underline tasty-links- data-tasty-links-
wordpress-plugin|Tasty Pins|tasty-pins-
web-framework|YAML CSS|ym-grid ym-gbox ym-g50 ym-g33 ym-hlist ym-vlist ym-column ym-clearfix
web-framework|Pure.css|pure-menu-link pure-menu-heading pure-menu-item pure-u-1 pure-g pure-u-1-2 pure-menu-list pure-button
web-framework|Material Design Lite|mdl-js-button mdl-js-layout mdl-js-ripple-effect mdl-layout mdl-button mdl-grid mdl-cell
javascript-library|Radix UI|data-radix-scroll-area-viewport data-radix-popper-content-wrapper data-radix-collection-item data-radix- ?radix-
web-framework|Radix Themes|radix-themes
javascript-library|MDBootstrap|data-mdb-
web-framework|Google Web Toolkit|gwt-Label gwt-Button gwt-Anchor gwt-HTML gwt-TextBox gwt-Image
web-framework|PrimeFaces|ui-selectonemenu ui-selectbooleancheckbox ui-selectcheckboxmenu ui-selectmanymenu
javascript-library|Lucide|data-lucide lucide- lucide
fonts|Feather|data-feather ?feather-menu feather-search feather-
javascript-library|Knight Lab Soundcite|soundcite soundcite-loaded soundcite-play
fonts|Boxicons|bxl- bxl-facebook bxl-twitter ?bx-search bx-menu
javascript-library|Octicons|octicon octicon-
fonts|Material Design Icons|mdi-
fonts|Ionicons|ion-md- ion-logo- ion-android- ion-ios-arrow-back ion-social-facebook ion-android-menu ion-ios-
javascript-library|Devicon|devicon-
fonts|Unicons|uil-
fonts|UIcons|fi-rr- fi-sr- fi-br-
fonts|Zocial|zocial
fonts|Iconify|iconify iconify-inline
javascript-library|Tabler Icons|icon-tabler icon-tabler-
fonts|Weather Icons|wi-day- wi-night- wi-day-sunny wi-cloudy wi-day-cloudy
fonts|Font Awesome|svg-inline--fa fa-w-16 fa-w-14 fa-w-20 fa-w-10 data-fa-i2svg data-fa-transform ?fa-solid fa-brands fa-regular fa-light fa far fal fa-angle-right fa-home fa-user fa-play fa-share fa-plus fa-close fa-arrow-right fa-pinterest fa-rss fa-whatsapp fa-google-plus fa-caret-down fa-calendar fa-clock-o fa-map-marker fa-shopping-cart fa-info fa-facebook fa-twitter fa-search fa-bars fa-instagram fa-facebook-f fa-envelope fa-phone fa-chevron-right fa-angle-down fa-youtube fa-linkedin fa-times fas fab
javascript-library|jQuery BlockUI|blockUI
javascript-library|jQuery Cycle|cycle-slideshow cycle-sentinel data-cycle-fx data-cycle-slides data-cycle-timeout data-cycle-pager
javascript-library|Vegas|vegas-container vegas-slide vegas-overlay
javascript-library|FlexSlider|flex-direction-nav flex-control-nav flex-control-paging flexslider_optionset_ flexslider-optionset- flex-active-slide ?optionset-default
javascript-library|AnythingSlider|anythingSlider anythingWindow anythingBase
javascript-library|RoyalSlider|rsDefault rsContent rsOverflow rsMinW new-royalslider- rsImg rsTmb rsUni rsDefaultInv visibleNearby rsABlock rsBullets rsThumbs
javascript-library|Tiny Slider|tns-inner tns-item tns-nav tns-carousel tns-controls tns-liveregion tns-ovh
javascript-library|Blaze Slider|blaze-slider blaze-track blaze-track-container
javascript-library|Swiffy Slider|swiffy-slider
javascript-library|Colorbox|cboxElement cboxOverlay cboxWrapper cboxLoadedContent cboxIE cboxContent cboxTitle cboxCurrent cboxClose
javascript-library|SimpleLightbox|?sl-overlay sl-wrapper
javascript-library|Ekko Lightbox|ekko-lightbox
javascript-library|Nivo Lightbox|nivo-lightbox-overlay nivo-lightbox-wrap
javascript-library|Highslide|highslide highslide-gallery highslide-caption highslide-heading highslide-maincontent
javascript-library|ThickBox|TB_window TB_overlay TB_ajaxContent
javascript-library|Slimbox|lbCenter lbBottomContainer
javascript-library|FsLightbox|data-fslightbox fslightbox-container
javascript-library|nanogallery2|nGY2 data-nanogallery2
javascript-library|Venobox|vbox-item vbox-overlay ?venobox
javascript-library|Remodal|remodal-overlay remodal-wrapper remodal-is-initialized data-remodal-id data-remodal-target data-remodal-action
javascript-library|iziModal|iziModal iziModal-content iziModal-overlay data-izimodal-open
javascript-library|iziToast|iziToast iziToast-wrapper
javascript-library|fancyBox|fancybox-wrap fancybox-skin fancybox-slide fancybox-stage fancybox__container ?fancybox fancybox-iframe fancybox-thumb
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
javascript-library|FlexNav|flexnav-show ?flexnav
javascript-library|Tablesaw|tablesaw tablesaw-stack tablesaw-swipe data-tablesaw-mode data-tablesaw-sortable
javascript-library|Tabulator|tabulator-row tabulator-cell tabulator-header tabulator-tableholder
javascript-library|Handsontable|htCore ht_master
javascript-library|Grid.js|gridjs-container gridjs-table gridjs-wrapper
javascript-library|Muuri|muuri-item muuri-item-shown
javascript-library|Slim Select|ss-single-selected
javascript-library|Bootstrap Select|bs-placeholder bs-searchbox bs-actionsbox data-selected-text-format ?selectpicker data-live-search
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
javascript-library|noUiSlider|noUi-target noUi-base noUi-connect noUi-handle noUi-
javascript-library|Ion.RangeSlider|irs--flat irs--round irs-line irs-single irs-hidden-input
javascript-library|rangeslider.js|rangeslider__fill rangeslider__handle
javascript-library|jQuery Mask Plugin|data-mask-reverse data-mask-clearifnotmatch data-mask-selectonfocus
javascript-library|jQuery Unobtrusive Validation|field-validation-valid data-valmsg-for data-valmsg-summary data-valmsg-replace data-val-required data-val-length-max data-val-regex-pattern
javascript-library|jQuery Unobtrusive Ajax|data-ajax-begin data-ajax-failure ?data-ajax-update data-ajax-mode data-ajax-success
javascript-library|jQuery Validation Engine|formErrorContent formErrorArrow
javascript-library|jQuery Form Validator|data-validation-error-msg-container data-validation-optional-if-answered ?data-validation-error-msg
javascript-library|BootstrapValidator|data-bv-field data-bv-message data-bv-notempty data-bv-notempty-message ?bv-form
javascript-library|FormValidation|fv-plugins-message-container fv-plugins-bootstrap fv-plugins-bootstrap5 data-fv-notempty data-fv-field ?fv-form
javascript-library|Dropzone|dz-clickable ?dz-default dz-preview
javascript-library|Fine Uploader|qq-uploader qq-upload-button qq-upload-list
javascript-library|Uploadify|uploadify-button uploadify-queue
javascript-library|autoComplete.js|autoComplete_wrapper autoComplete_list_1
javascript-library|EasyAutocomplete|easy-autocomplete easy-autocomplete-container
javascript-library|Algolia Autocomplete|aa-Autocomplete aa-Panel aa-DetachedSearchButton
javascript-library|Tagify|tagify__input tagify__tag
javascript-library|Bootstrap Tags Input|bootstrap-tagsinput
javascript-library|Tag-it|tagit-new tagit-choice tagit-label
javascript-library|International Telephone Input|iti__flag-container iti__selected-flag iti__country-list iti__ iti--
javascript-library|ScrollReveal|data-sr-id
javascript-library|Sal.js|data-sal data-sal-delay data-sal-easing sal-animate
javascript-library|skrollr|data-top-bottom data-bottom-top data-center-top data-top-top data-center-bottom skrollable skrollable-between
javascript-library|Stellar.js|data-stellar-background-ratio data-stellar-ratio data-stellar-vertical-offset
javascript-library|parallax.js|parallax-mirror ?parallax-window
javascript-library|Paroller.js|data-paroller-factor data-paroller-type data-paroller-direction
javascript-library|Rellax|data-rellax-speed data-rellax-percentage
javascript-library|Locomotive Scroll|c-scrollbar_thumb data-scroll-call has-scroll-smooth has-scroll-init ?data-scroll-section data-scroll-container
javascript-library|OverlayScrollbars|os-scrollbar data-overlayscrollbars data-overlayscrollbars-initialize os-host os-viewport os-content-glue
javascript-library|perfect-scrollbar|ps__thumb-y ps-scrollbar-y-rail ps__rail-x ps__rail-y ps--active-y ps--active-x ps__thumb-x ?ps-container
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
javascript-library|TinyMCE|mceEditor mceContentBody mce-tinymce ?mce-content-body
javascript-library|CKEditor|cke_reset cke_chrome ck-editor__editable ?cke_editable
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
maps|OpenLayers|olMap olMapViewport olControlAttribution ol-viewport ol-overlaycontainer ol-overlaycontainer-stopevent ol-zoom-in
javascript-library|jVectorMap|jvectormap-container jvectormap-tip jvectormap-label jvectormap-zoomin
javascript-library|JQVMap|jqvmap-label jqvmap-zoomin jqvmap-region
javascript-library|FullCalendar|fc-daygrid fc-event-container fc-toolbar-chunk fc-daygrid-day fc-col-header-cell
javascript-library|Knight Lab TimelineJS|vco-timeline vco-storyjs tl-storyslider
javascript-library|JuxtaposeJS|jx-slider jx-handle jx-image jx-knightlab
javascript-library|Modaal|modaal-wrapper modaal-container data-modaal-content-source data-modaal-type
javascript-library|Pannellum|pnlm-container pnlm-render-container
javascript-library|fullPage.js|fp-tableCell fp-enabled fp-controlArrow
javascript-library|One Page Scroll|onepage-pagination ?onepage-wrapper
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
javascript-library|pickadate.js|picker__holder picker__wrap
web-framework|Simple Form|?simple_form
social|Flipboard Widgets|data-flip-widget
wordpress-plugin|Subscribe to Double-Opt-In Comments|subscribe-to-doi-comments
wordpress-plugin|Better Social Counter|better-social-counter
wordpress-plugin|Better News Ticker|?better-newsticker
web-framework|React|data-react-props data-reactid data-react-checksum B:0 B:1 S:0 S:1
wordpress-plugin|Orbit Fox|obfx-menu-icon
drupal-module|OpenCalais|field-name-opencalais-
advertising|Swoop|swoopContainer swoopAd
javascript-library|CodyHouse Back to Top|?cd-top
javascript-library|Unite Gallery|unitegallery ug-gallery-wrapper
javascript-library|P7 Equal Height Columns|p7ehc- P7EHCd_
javascript-library|Jasny Bootstrap|fileinput-new fileinput-exists navmenu-fixed-left navmenu-fixed-right
javascript-library|Cocoon|data-association-insertion-template data-association-insertion-node
javascript-library|Best In Place|best_in_place data-bip-attribute data-bip-object
forms|django-crispy-forms|?div_id_
wordpress-plugin|Most And Least Read Posts Widget|most_and_least_read_posts_
wordpress-plugin|Comment Reply Email Notification|cren_subscribe_to_comment
wordpress-plugin|reCAPTCHA in WP comments form|?reCAPTCHA-style
advertising|IP Deutschland AdControl|ipadcontrol
seo|Simplora|simplora-widget
wordpress-plugin|Advanced Sidebar Menu|advanced-sidebar-menu advanced_sidebar_menu
joomla-extension|Flexbanners|flexbannergroup flexbanneritem flexbannerlink
typo3-extension|OM Cookie Manager|tx-om-cookie-consent tx-om-cookie-panel om-cookie-panel data-omcookie-panel
wordpress-plugin|Easy Accordion|sp-easy-accordion sp-ea-single sp-ea-one
wordpress-plugin|Popup Maker|popmake-close popmake-overlay pum-overlay pum-container popmake- pum-theme- pum-
wordpress-plugin|WPZOOM Instagram Widget|zoom-instagram-widget zoom-instagram-widget__items wpz-insta-photo zoom-instagram-
wordpress-plugin|WPZOOM Shortcodes|wpz-sc-box
wordpress-plugin|Social Locker|onp-sl-social-locker onp-locker-call onp-sl-content
cms|Beaver Builder|fl-row-content-wrap fl-col-group fl-module-content ?fl-row
cms|Bricks|brx-body
wordpress-plugin|Worth The Read|wtr-content wtr-progress wtr-time-
wordpress-plugin|List Custom Taxonomy Widget|list-custom-taxonomy-widget
wordpress-plugin|PublishPress Authors|pp-multiple-authors- pp-author-boxes- ppma-
wordpress-plugin|Ultimate Ads Manager|widget_codeneric_ad_widget
wordpress-plugin|Breadcrumb Trail|?trail-begin trail-end
javascript-library|Draft.js|?public-DraftStyleDefault- public-DraftEditor- DraftEditor-root
javascript-library|Pygments|codehilite
javascript-library|Infinite Scroll|infinite-scroll-request infinite-scroll-last infinite-scroll-error
javascript-library|FastClick|?needsclick
javascript-library|Social Likes|social-likes_ social-likes__ ?social-likes
javascript-library|CloudZoom|cloud-zoom cloud-zoom-gallery
wordpress-plugin|One Click Accessibility|pojo-a11y-toolbar pojo-a11y- ea11y-
wordpress-plugin|Comments Like Dislike|cld-like-dislike-wrap cld-common-wrap cld-like-trigger
advertising|IQ Digital|iqd_mainAd iqd_align_Ad iqd_topAd iqd_rightAd
wordpress-plugin|Super Cool Ad Inserter|scaip
wordpress-plugin|SyntaxHighlighter Evolved|syntaxhighlighteranchor wp-block-syntaxhighlighter-code
wordpress-plugin|Prisna GWT|prisna-gwt-
javascript-library|Patternslib|data-pat- pat-plone-modal pat-inject pat-pickadate pat-livesearch pat-moment pat-autotoc
javascript-library|ImageLightbox|data-imagelightbox
social|Vilynx|data-vilynx-id
wordpress-plugin|Live Composer|dslc-modules-section dslc-module- dslc-
wordpress-plugin|Ultimate Blocks|ub_call_to_action wp-block-ub- ub-content-toggle ub_table-of-contents- ?ub-buttons
wordpress-plugin|Gutenverse|guten-element
wordpress-plugin|Happyforms|happyforms-form happyforms-form__part
forms|Everest Forms|evf-container everest-form evf-field-container evf-frontend-row
wordpress-plugin|weForms|weforms-form
wordpress-plugin|Jetpack|grunion-field grunion-field-wrap grunion-field-label widget_eu_cookie_law_widget widget_blog_subscription jetpack_subscription_widget widget_twitter_timeline widget_top-posts widget_wpcom_social_media_icons_widget widget_milestone_widget jetpack-likes-widget-wrapper jetpack-slideshow tiled-gallery__gallery jetpack_remote_comment comment-form__verbum ?widget_authors widget_goodreads widget_facebook_likebox widget_rss_links contact-form-submission
wordpress-plugin|Event Organiser|eo-events eo-event-cat- eo-fullcalendar eo-event-
wordpress-plugin|WP Ultimate Recipe|wpurp-container wpurp-recipe-
wordpress-plugin|Recipe Card Blocks by WPZOOM|wp-block-wpzoom-recipe-card- wp-block-wpzoom-recipe-card-block-recipe-card
wordpress-plugin|Inline Related Posts|irpp-
wordpress-plugin|Related Posts for WordPress|rp4wp-related-posts rp4wp-
wordpress-plugin|2 Click Social Media Buttons|twoclick_social_bookmarks_post_ twoclick-js
wordpress-plugin|Custom Share Buttons with Floating Sidebar|sk-floating-sidebar csbwfs-
wordpress-plugin|Social Media Widget|smw_left smw_center ?socialmedia-buttons
communication|bbPress|bbp-forum bbp-topic bbp-reply- bbp-user-page widget_display_topics widget_display_replies widget_display_forums bbp_widget_login bbp-
wordpress-plugin|Final Tiles Gallery|final-tiles-gallery
wordpress-plugin|Gmedia Gallery|gmedia_gallery
wordpress-plugin|Justified Image Grid|justified-image-grid
wordpress-plugin|Slider by Huge-IT|huge-it-slide-bg
wordpress-plugin|Cyclone Slider|cycloneslider cycloneslider-
wordpress-plugin|Meteor Slides|meteor-slides meteor-slides-
wordpress-plugin|WP Featherlight|wp-featherlight-captions
wordpress-plugin|Ads Pro|bsaProContainer bsa_pro_ajax_load bsaProItem bsa_pro_
wordpress-plugin|Amazon Associates Link Builder|aalb-product-carousel-unit aalb-price-box aalb-
wordpress-plugin|EasyAzon|easyazon-link easyazon-image-link easyazon-
wordpress-plugin|Content Egg|cegg- cegg5-container ?egg-container
wordpress-plugin|Leaflet Maps Marker|lmm-listmarkers
wordpress-plugin|Geo Mashup|geo-mashup-map
wordpress-plugin|WP-Syntax|wp_syntax
wordpress-plugin|Compact WP Audio Player|sc_player_container1
wordpress-plugin|WP User Frontend|wpuf-form wpuf-form-add wpuf-fields
wordpress-plugin|Testimonials Widget|testimonials-widget-testimonial
wordpress-plugin|Flexible Posts Widget|dpe-flexible-posts
wordpress-plugin|Category Posts Widget|cat-post-widget ?cat-post-item cat-post-title
wordpress-plugin|Advanced iFrame|advanced_iframe
wordpress-plugin|Timeline Express|timeline-express
wordpress-plugin|Cool Timeline|cool-timeline-wrapper ctl-story- cool_timeline ctl-story
wordpress-plugin|Superfly|sfm-rollback sfm-navicon
cms|Jimdo|j-imageSubtitle j-htmlCode j-textWithImage cc-content-parent jimdo-layout- cc-imagewrapper ?cc-content-container
cms|BLOX CMS|tncms-block tncms-region
cms|Liferay|lfr-layout-structure-item- lfr-nav lfr-tooltip-scope portlet-layout portlet-boundary portlet-column-content
cms|SharePoint|ms-rtestate-field ms-webpart-zone ms-WPBody
fonts|Linearicons|lnr- lnr-menu lnr-magnifier lnr-cross lnr-chevron-down
javascript-library|Pe-icon-7-stroke|pe-7s- pe-7s-search
javascript-library|Superfish|sf-js-enabled sf-menu-superfish superfish-main-menu sf-accordion-toggle sf-sub-indicator ?sf-menu
javascript-library|SweetAlert2|swal2-container swal2-popup
javascript-library|Prism|?code-toolbar language-javascript language-php language-bash language-css language-markup
maps|Leaflet|leaflet-container leaflet-pane leaflet-control-container leaflet-tile-pane leaflet-control-zoom leaflet-marker-icon leaflet-control-attribution leaflet-touch-zoom
web-framework|Angular|ng-version ng-server-context ng-tns- ng-star-inserted ng-trigger ng-state serverApp-state ng-animate-disabled
web-framework|Chakra UI|chakra-button chakra-stack chakra-text chakra-script
reviews|Bazaarvoice|BVRRContainer BVRRSummaryContainer ?bv-content
social|X Widgets|?twitter-share-button twitter-follow-button twitter-hashtag-button
social|Flickr Embed|flickr_badge_image
surveys|SurveyMonkey|smcx-widget smcx-embed
advertising|Google Ad Manager|div-gpt-ad- dfp-tag-wrapper block-dfp
analytics|Piano|tp-container-inner piano-container ?cxense-widget cx-widget tp-modal tp-backdrop
wordpress-plugin|AdSanity|adsanity- ad-sanity
wordpress-plugin|Advanced Ads|advads- advads_ widget_advads_ad_widget advanced-ads-placeholder
wordpress-plugin|PublishPress Blocks|advgb- wp-block-advgb-
wordpress-plugin|Advanced Random Posts Widget|arpw-random-post arpw-ul
wordpress-plugin|Ajax Search Lite|asl_w asl_m asl_r ajaxsearchlite1
wordpress-plugin|Ajax Search Pro|asp_w asp_m asp_r ajaxsearchpro1_1
wordpress-plugin|All-in-One Event Calendar|ai1ec- widget_ai1ec_agenda_widget
wordpress-plugin|Amelia|amelia-app-booking amelia-booking amelia-container amelia-v2-
wordpress-plugin|Author Avatars List|author_avatars widget_author_avatars
wordpress-plugin|Awesome Weather Widget|awesome-weather-wrap awesome-weather-
wordpress-plugin|Black Studio TinyMCE Widget|widget_black_studio_tinymce
wordpress-plugin|Bookly|bookly-form bookly-js-
wordpress-plugin|Bop Search Box Item Type For Nav Menus|bop-nav-search
wordpress-plugin|Breadcrumb NavXT|bcn_widget widget_bcn_widget
wordpress-plugin|Broken Link Checker|broken_link
wordpress-plugin|BuddyPress|bp-nouveau bp-legacy buddypress-wrap widget_bp_core_members_widget widget_bp_groups_widget widget_bp_core_login_widget widget_bp_core_whos_online_widget bp-block-
wordpress-plugin|Carousel Slider|carousel-slider-outer
wordpress-plugin|Click to Chat|ht-ctc ht-ctc-
wordpress-plugin|Collapsing Categories|collapsing-categories collapscat
wordpress-plugin|Collapsing Archives|collapsing-archives collapsarch
wordpress-plugin|Complianz|cmplz-cookiebanner cmplz-consent-status cmplz-document
wordpress-plugin|Content Views|pt-cv-wrapper pt-cv-view pt-cv-
wordpress-plugin|Cooked|cooked-recipe cooked-app cooked-fsm cooked-recipe- cooked-ingredient
wordpress-plugin|Contextual Related Posts|crp_related widget_crp crp-rounded-thumbs
wordpress-plugin|Cookie Notice|cookie-notice-container cookies-not-set cookie-revoke-hidden cn-set-cookie cn-notice- ?cn-bottom
wordpress-plugin|Crayon Syntax Highlighter|crayon-syntax ?crayon-plain crayon-theme-
wordpress-plugin|Display Posts|display-posts-listing
wordpress-plugin|Download Monitor|dlm-download dlm-downloads-list dlm-xhr- ?dlm-
wordpress-plugin|Dynamic Widgets|dynwid-
wordpress-plugin|Easy Digital Downloads|edd_purchase_submit_wrapper edd-add-to-cart edd_download edd_downloads_list edd-submit edd-js edd_download_inner edd_purchase_receipt
wordpress-plugin|Easy Social Share Buttons|essb_links essb_counters essb-fc essb_ essb-
wordpress-plugin|Email Subscribers & Newsletters|es_subscription_form es_form_container es-field-wrap widget_email-subscribers widget_email-subscribers-form es_subscription_form_submit es_txt_email ?emaillist
wordpress-plugin|Embed Privacy|embed-privacy-container embed-privacy-overlay
wordpress-plugin|Enhanced Text Widget|enhanced-text-widget
wordpress-plugin|Enlighter|EnlighterJSRAW enlighter-default
wordpress-plugin|Essential Blocks|eb-parent-wrapper wp-block-essential-blocks- eb-row-root-container root-eb-
wordpress-plugin|Event List|el-list-col ?event-list-view
wordpress-plugin|Events Manager|em-calendar-wrapper em-calendar em-eventful em-events-list widget_em_widget widget_em_calendar em-booking-form em-event-single em-search-form em-view-container em-events-
wordpress-plugin|EWWW Image Optimizer|eio-default ewww_webp data-eio-rwidth data-eio-rheight ewww_webp_loaded ewww-
wordpress-plugin|Exclusive Addons for Elementor|exad- elementor-widget-exad-
wordpress-plugin|Fancier Author Box|ts-fab-wrapper ts-fab-tabs ts-fab-
wordpress-plugin|Feed Them Social|fts-twitter-div fts-jal-fb-header fts-instagram-wrapper fts-jal- fts-instagram- fts-twitter-
wordpress-plugin|Flow-Flow|ff-stream ff-stream-wrapper
wordpress-plugin|Fluent Forms|fluentform fluentform-step ff-el-group ff-el-form-control fluentform_wrapper_ ff-btn-submit ff-el-
wordpress-plugin|Forminator|forminator-ui forminator-custom-form
wordpress-plugin|WP Cookie Consent|gdpr-cookie-consent-bar gdpr-cookie-info-bar gdpr-cookie-consent-show-again gdprmodal-
wordpress-plugin|Genesis eNews Extended|enews-widget
wordpress-plugin|Get Recent Comments|get_recent_comments_wrap widget_get_recent_comments
wordpress-plugin|GiveWP|give-form-wrap give-wrap give-goal-progress widget_give_forms_widget give-embed-form-wrapper wp-block-give- root-data-givewp-embed givewp-
wordpress-plugin|GTranslate|gt_float_switcher gtranslate_wrapper gt-current-lang
wordpress-plugin|Greenshift|gspb-bodyfront gspb_container gspb_ gspb-
wordpress-plugin|Heateor Social Login|heateor_sl_
wordpress-plugin|Honeypot for Contact Form 7|wpcf7-honeypot
wordpress-plugin|Image Widget|widget_sp_image
wordpress-plugin|Social Slider Feed|jr-insta-slider jr-insta-thumb widget_jr_insta_slideshow jr-insta-
wordpress-plugin|Ivory Search|is-form-style is-form-id- is-ajax-search- ?is-search-form is-search-input
wordpress-plugin|Joinchat|joinchat joinchat__button joinchat-- joinchat__
wordpress-plugin|JetMenu|jet-menu-item jet-menu-container jet-desktop-menu-active jet-mega-menu jet-mega-menu- elementor-widget-jet-mega-menu
wordpress-plugin|JetElements|jet-carousel jet-elements elementor-widget-jet-carousel elementor-widget-jet-animated-box elementor-widget-jet-testimonials elementor-widget-jet-posts elementor-widget-jet-slider elementor-widget-jet-headline
wordpress-plugin|Kadence Blocks|kb-row-layout-wrap kt-row-layout-inner kt-inside-inner-col kb-buttons-wrap wp-block-kadence- kb-table-of-content-nav kb-table-of-contents kt-accordion-wrap kt-adv-heading_ kb-svg-icon-wrap kt-adv-heading kb-btn-global-fill kb-advanced-heading content-title-style- kadence-svg-iconset kadence-sticky-header kadence-thumbnail-position- kadence-global-css kadence-scrollbar-fixer content-vertical-padding- kadence-breadcrumbs
wordpress-plugin|kk Star Ratings|kk-star-ratings kksr-stars kksr-legend kksr-
wordpress-plugin|Latest Tweets Widget|widget_latest_tweets_widget
wordpress-plugin|Leaflet Map|WPLeafletMap ?leaflet-map
wordpress-plugin|LearnDash|learndash-wrapper ld-course-list-items learndash_content_wrap learndash_ ld_course_grid ?wpProQuiz_
wordpress-plugin|LearnPress|learn-press-courses learnpress-page lp-archive-courses learnpress- lp-list-courses-
wordpress-plugin|Lightweight Social Icons|lsi-social-icons
wordpress-plugin|List Category Posts|lcp_catlist lcp_post widget_listcategorypostswidget
wordpress-plugin|Login With Ajax|lwa-form lwa-remember lwa-links widget_loginwithajaxwidget
wordpress-plugin|LuckyWP Table of Contents|lwptoc lwptoc_i lwptoc-autoWidth
wordpress-plugin|Mailster|mailster-form mailster-wrapper mailster-submit-wrapper mailster- mymail-form
wordpress-plugin|Maps Marker Pro|mapsmarker maps-marker-pro mmp-map
wordpress-plugin|MashShare|mashsb-container mashsb-box widget_mashsb_mostshared_posts_widget
wordpress-plugin|Max Mega Menu|max-mega-menu mega-toggle-blocks- widget_maxmegamenu mega-toggle-block ?mega-menu-wrap mega-menu-link mega-menu-wrap- mega-menu-toggle
wordpress-plugin|MemberPress|mepr-login-form-wrap mepr-form mepr-submit mepr_ mepr-
wordpress-plugin|Modern Events Calendar|mec-wrap mec-event-article mec-skin-list-wrap mec_skin_ mec-event- mec-events mec-calendar
wordpress-plugin|Modula|modula-gallery modula-item modula-
wordpress-plugin|My Calendar|my-calendar-header mc_calendar_ ?mc-main mc-event my-calendar-
wordpress-plugin|Newsletter|tnp-subscription tnp-widget tnp-field tnp-widget-minimal tnp-email widget_newsletterwidget widget_newsletterwidgetminimal tnp-
wordpress-plugin|NextScripts: Social Networks Auto-Poster|nxs_
wordpress-plugin|Paid Memberships Pro|pmpro_message pmpro_content_message pmpro_btn pmpro-body-has-access pmpro-body-level- pmpro_
wordpress-plugin|Photo Gallery by 10Web|bwg_container bwg-container bwg_container1_ bwg-
wordpress-plugin|PixCodes|?pixcode ?pixcode--
wordpress-plugin|Podlove Podcast Publisher|podlove-episode podlove-web-player-
wordpress-plugin|PodPress|podPress_content podPress_playerspace podpress
wordpress-plugin|Popup Builder|sgpb-popup sgpb-main-popup-data-container- sgpb- ?sg-popup-
wordpress-plugin|Posts Table with Search & Sort|posts-data-table
wordpress-plugin|Print Friendly|printfriendly printfriendly-
wordpress-plugin|ProfilePress|pp-form-wrapper ppress- ?wp-user-avatar
wordpress-plugin|QuadMenu|quadmenu quadmenu-
wordpress-plugin|Really Simple Social|rssocial
wordpress-plugin|Recent Posts Widget Extended|rpwe-block rpwe-ul rpwe-li widget_rpwe_widget
wordpress-plugin|Recent Posts Widget With Thumbnails|rpwwt-widget
wordpress-plugin|Recent Tweets Widget|widget_tp_widget_recent_tweets tp_recent_tweets
wordpress-plugin|Relevanssi|relevanssi-query-highlight relevanssi_
wordpress-plugin|Responsive Lightbox & Gallery|rl-gallery rl-gallery-container
wordpress-plugin|Responsive Menu|responsive-menu-pro- rmp_menu_ rmp-menu- responsive-menu-slide- ?responsive-menu-button responsive-menu-container responsive-menu-box responsive-menu-inner
wordpress-plugin|Restrict Content Pro|rcp_form rcp_restricted rcp-paywalled
wordpress-plugin|Rich Reviews|rr_review_text ?testimonial_group
wordpress-plugin|Sassy Social Share|heateor_sss_sharing_container heateor_sss_ heateorSss
wordpress-plugin|Scriptless Social Sharing|scriptlesssocialsharing scriptlesssocialsharing-buttons
wordpress-plugin|Search & Filter|searchandfilter
wordpress-plugin|SearchWP Live Ajax Search|searchwp-live-search-widget searchwp-live-search-results
wordpress-plugin|Seriously Simple Podcasting|castos-player
wordpress-plugin|ShiftNav|shiftnav shiftnav-toggle shiftnav-
wordpress-plugin|Shortcodes Ultimate|su-spoiler su-quote-style- su-accordion su-button-style- su-spoiler-style- su-column-size- su-column-inner su-heading-style- su-tabs-style- su-box-style- su-divider-style- su-note-inner su-u-trim su-u-clearfix ?su-row su-column su-button su-box su-note su-tabs su-heading su-divider
wordpress-plugin|Simple Author Box|saboxplugin-wrap saboxplugin-tab sabox-guest-authors-container saboxplugin- sab-web-position
wordpress-plugin|Simple Custom CSS|simple-custom-css
wordpress-plugin|Simple Social Icons|simple-social-icons widget_simple-social-icons
wordpress-plugin|Simply Schedule Appointments|ssa_booking_iframe ssa-booking ssa-booking-
wordpress-plugin|SiteOrigin Widgets Bundle|so-widget-sow-editor so-widget-sow-image so-widget-sow-button siteorigin-widget-tinymce so-widget-
wordpress-plugin|Site Reviews|glsr glsr-reviews glsr-
wordpress-plugin|Smart Slider 3|n2-ss-slider n2-section-smartslider n2-ss-align nextend-arrow nextend-bullet-bar
wordpress-plugin|Smash Balloon Facebook Feed|cff-wrapper cff-item cff-likebox cff-post-text cff-post-links
wordpress-plugin|Smash Balloon Instagram Feed|sbi_item sb_instagram sbi_
wordpress-plugin|Smash Balloon Twitter Feeds|ctf-tweets ctf-item ctf-type- ctf-tweet- ctf-author-
wordpress-plugin|Social Icons Widget by WPZOOM|zoom-social-icons-list zoom-social_icons-list
wordpress-plugin|Social Media Feather|synved-social-button synved-social-
wordpress-plugin|Social Snap|ss-inline-share-wrapper ss-floating-bar
wordpress-plugin|Stackable|ugb-container wp-block-ugb- wp-block-stackable-
wordpress-plugin|Starbox|abh_box abh_tabs abh_
wordpress-plugin|Strong Testimonials|strong-view wpmtst-testimonial ?strong-content
wordpress-plugin|Subscribe2|s2_form_widget subscribe2 s2form widget_subscribe2 s2_message
wordpress-plugin|Subscribe to Comments Reloaded|subscribe-reloaded ?subscribe-to-comments
wordpress-plugin|Super Progressive Web Apps|superpwa-
wordpress-plugin|Super RSS Reader|super-rss-reader-widget srr-wrap srr-title widget_super_rss_reader
wordpress-plugin|Super Socializer|the_champ_sharing_container the_champ_ theChampSharing theChampFacebookSvg
wordpress-plugin|Table of Contents Plus|toc_container ?toc_list toc_widget
wordpress-plugin|TaxoPress|st-post-tags st-tag-cloud widget-simpletags widget_simpletags ?st-related-posts
wordpress-plugin|Testimonial Rotator|testimonial_rotator testimonial_rotator_
wordpress-plugin|The Events Calendar|tribe-events tribe-events-list-widget tribe-common tribe-no-js tribe-mini-calendar widget_tribe-events-list-widget widget_tribe-widget-events-list
wordpress-plugin|The Post Grid|rt-tpg-container tpg-el-main-wrapper rt-tpg- tpg-post-holder tpg-el-
wordpress-plugin|Theme My Login|tml-login tml-action widget_theme_my_login
wordpress-plugin|Thrive Comments|tcm-comments thrive-comments
wordpress-plugin|Thrive Leads|tve-leads-conversion-object tve_leads_form_container tve-leads- tve-tl-
wordpress-plugin|Thrive Architect|tcb-plain-text tcb-post- tcb-style-wrap
wordpress-plugin|Tutor LMS|tutor-wrap tutor-course-name tutor-course-loop tutor-course- ?tutor-btn tutor-card-
wordpress-plugin|UberMenu|ubermenu ubermenu-
wordpress-plugin|Ultimate Addons for Elementor|uael- elementor-widget-hfe- ehf-template- hfe-site-logo
wordpress-plugin|Ultimate Addons for WPBakery|uvc-heading ult-item-wrap uavc-icons aio-icon-component
wordpress-plugin|Ultimate Member|um-page-loggedin um-field- um-profile- um_upload_single ?um-form um-profile um-field um-directory
wordpress-plugin|Ultimate Posts Widget|upw-posts widget_ultimate_posts
wordpress-plugin|Ultimate Social Media Icons|sfsi_widget sfsi_wicons sfsi_actvite_theme_default sfsi_ widget_sfsi_widget
wordpress-plugin|User Access Manager|uam_
wordpress-plugin|Visual Portfolio|vp-portfolio vp-portfolio__items wp-block-visual-portfolio- vp-portfolio__
wordpress-plugin|Viper's Video Quicktags|vvqbox vvqyoutube
wordpress-plugin|WebberZone Top 10|tptn_posts tptn_counter tptn_posts_daily tptn_after_thumb widget_widget_tptn_pop tptn_posts_list_widget widget_tptn_posts_list_widget tptn_
wordpress-plugin|Widget Options|extendedwopts-show extendedwopts-hide widgetopts- extendedwopts-
wordpress-plugin|WordPress Popular Posts|wpp-list popular-posts-sr wpp-cardview widget_wpp wpp-views wpp-list- wpp-post-
wordpress-plugin|Download Manager|w3eden wpdm-download-link wpdm-
wordpress-plugin|WordPress Related Posts|wp_rp_content wp_rp_wrap wp_rp wp_rp_
wordpress-plugin|WP About Author|wp-about-author-containter-top wp-about-author-
wordpress-plugin|WP Chat App|nta_wa_button wa__btn_popup wa__btn_ wa__popup_
wordpress-plugin|WP Customer Reviews|wpcr3_respond_1 wpcr3_reviews wpcr3_
wordpress-plugin|WP Instagram Widget|null-instagram-feed ?instagram-pics instagram-size-large
wordpress-plugin|WP Job Manager|job_listing-location job-manager-form wp-job-manager- ?job_listings
wordpress-plugin|WP Mobile Menu|mobmenu-container mob-menu-header-holder mob-menu-slideout mobmenu mob-menu-logo-holder mobmenu-
wordpress-plugin|WP Maps|wpgmp-map-1 wpgmp_map_container
wordpress-plugin|WP Review|wp-review- ?review-total-wrapper review-total-star
wordpress-plugin|WP Show Posts|wp-show-posts wp-show-posts-inner wp-show-posts-
wordpress-plugin|WP Simple Booking Calendar|wpsbc-calendar wpsbc-container wpsbc-
wordpress-plugin|WP ULike|wpulike wp_ulike_btn wp_ulike_general_class wp_ulike_ wp-ulike-
wordpress-plugin|WP YouTube Lyte|lyte-wrapper lyte_
wordpress-plugin|WP-PageNavi|wp-pagenavi
wordpress-plugin|WP-Polls|wp-polls wp-polls-form wp-polls-ans wp-polls-loading widget_polls-widget wp-polls-
wordpress-plugin|WP-PostRatings|post-ratings-loading widget_ratings-widget ?post-ratings
wordpress-plugin|wpDataTables|wpDataTable wpDataTables wpDataTablesWrapper
wordpress-plugin|WPtouch|wptouch- wptouch-showing
wordpress-plugin|Yet Another Stars Rating|yasr-vv-stars-title-container yasr-stars-title yasr-
wordpress-plugin|Yoast SEO|yoast-breadcrumbs yoast-table-of-contents wpseo_breadcrumb schema-faq-section schema-faq-question schema-how-to-step yoast-reading-time__
wordpress-plugin|YITH WooCommerce Wishlist|yith-wcwl-add-to-wishlist yith-wcwl-
wordpress-plugin|YOP Poll|basic-yop-poll-container yop-poll-container yop_poll_ yop-poll-
wordpress-plugin|Zemanta|zemanta-related-title zemanta-pixie zemanta-img
wordpress-plugin|Zip Recipes|zrdn- zrdn_ ?zlrecipe-container zlrecipe-
wordpress-plugin|AdRotate|widget_adrotate_widgets
wordpress-plugin|Ad Inserter|widget_ai_widget ai-attributes data-ai-block ai-viewport- ai-adb-
wordpress-plugin|AddToAny|widget_a2a_share_save_widget widget_a2a_follow_widget addtoany_list addtoany_share_save
wordpress-plugin|Bloom|widget_bloomwidget
wordpress-plugin|Cool Tag Cloud|widget_cool_tag_cloud cool-tag-cloud
wordpress-plugin|Decent Comments|widget_decent_comments_widget decent-comments
wordpress-plugin|Elementor|widget_elementor-library
wordpress-plugin|Formidable Forms|widget_frm_show_form with_frm_style frm_grid_container
wordpress-plugin|Gravity Forms|widget_gform_widget gform_widget ginput_container gform_
wordpress-plugin|Jquery Archive List Widget|widget_jaw_widget jaw_widget jaw_years jaw_months jalw_
wordpress-plugin|LayerSlider|widget_layerslider_widget ?ls-bg ls-l ls-slide
wordpress-plugin|Mailchimp List Subscribe Form|widget_mailchimpsf_widget mc_signup mc_form_inside mc_subheader mc_merge_var mc_signup_form
wordpress-plugin|MailPoet|widget_mailpoet_form widget_wysija widget_wysija_nl_widget wysija-
wordpress-plugin|MC4WP: Mailchimp for WordPress|widget_mc4wp_form_widget
wordpress-plugin|Meks Easy Instagram Widget|mks_instagram_widget meks_instagram
wordpress-plugin|Meks Flickr Widget|mks_flickr_widget
wordpress-plugin|Meks Smart Author Widget|mks_author_widget
wordpress-plugin|Meks Smart Social Widget|mks_social_widget
wordpress-plugin|MetaSlider|widget_metaslider_widget metaslider_container_
wordpress-plugin|Monarch|widget_monarchwidget
wordpress-plugin|NextGEN Gallery|widget_ngg_images widget_ngg_slideshow ngg_images nextgen_pro_lightbox
wordpress-plugin|Ninja Forms|widget_ninja_forms_widget wp-block-ninja-forms-
wordpress-plugin|PHP Code Widget|widget_execphp execphpwidget
wordpress-plugin|Polylang|widget_polylang
wordpress-plugin|Shariff Wrapper|widget_shariff shariff-widget-align- shariff-buttonstretch
wordpress-plugin|SiteOrigin Page Builder|widget_siteorigin-panels-builder
wordpress-plugin|Slider Revolution|widget_revslider widget_rev-slider-widget tp-bannertimer rs-layer tp-caption rs-background-video-layer rs-layer-wrap tp-bullets tparrows tp-parallax-wrap
wordpress-plugin|Ultimate Tag Cloud Widget|widget_utcw utcw-
wordpress-plugin|WooCommerce|widget_shopping_cart widget_product_categories widget_layered_nav widget_price_filter widget_top_rated_products woocommerce-product-gallery woocommerce-product-gallery__ wp-block-woocommerce-
wordpress-plugin|WPML|widget_icl_lang_sel_widget widget_text_icl
wordpress-plugin|WP-PostViews|?widget_views
wordpress-plugin|WP QUADS|widget_quads_ads_widget
wordpress-plugin|WP-UserOnline|widget_useronline useronline-count
wordpress-plugin|YARPP|widget_yarpp_widget yarpp-related
wordpress-plugin|Zotpress|widget_zotpress
cms|Oxygen|ct-section-inner-wrap ct-div-block ?ct-section oxy-
wordpress-plugin|Zion Builder|znpb- zb-element zb-section zb-column zb-el-
wordpress-plugin|Yoast SEO: Local|wpseo-location wpseo-opening-hours wpseo-map-canvas
seo|Rank Math|rank-math- wp-block-rank-math- rank-math-schema rank-math-schema-pro
seo|All in One SEO|aioseo- wp-block-aioseo- aioseop-schema aioseo-schema
wordpress-plugin|SEOPress|seopress-user- seopress-breadcrumb wp-block-wpseopress-
wordpress-plugin|Slim SEO|slim-seo-schema
wordpress-plugin|Schema Pro|wp-schema-pro-
wordpress-plugin|Schema & Structured Data for WP & AMP|saswp- wp-block-saswp-
wordpress-plugin|Structured Content|sc_fs_ wp-block-structured-content-
wordpress-plugin|Flexy Breadcrumb|fbc-page fbc-items
wordpress-plugin|Link Whisper|data-wpil-
wordpress-plugin|WP Rocket|data-rocketlazyloadscript data-rocket-src data-rocket-location-hash rocket-browser-checker-js rocket-preload-links-js wpr-usedcss wpr-lazyload-bg-container wpr-lazyload-bg-exclusion wpr-lazyload-bg rocket-critical-css data-rocket-status ?rll-youtube-player rocket-lazyload
wordpress-plugin|LiteSpeed Cache|data-litespeed- litespeed-ccss litespeed-css-async
wordpress-plugin|Autoptimize|aoatfcss data-aosrc autoptimize-js autoptimize-toolbar-css
wordpress-plugin|Perfmatters|perfmatters- data-pmdelayedstyle
wordpress-plugin|NitroPack|nitro-preloader nitro-lazy nitro-telemetry nitro-telemetry-only data-nitro-empty-id nitropack-
wordpress-plugin|WP Fastest Cache|data-wpfc-original-
wordpress-plugin|Hummingbird|wphb-used-css- wphb-lazy-
wordpress-plugin|Asset CleanUp|data-wpacu- wpacu-combined- wpacu-preload-
wordpress-plugin|Swift Performance|data-swift-image-lazyload data-swift-iframe-lazyload swift-in-viewport swift-lazyload
wordpress-plugin|Breeze|br-lazy data-breeze
wordpress-plugin|PhastPress|data-phast-
wordpress-plugin|Flying Scripts|flying-scripts
wordpress-plugin|Jetpack Boost|data-jetpack-boost
wordpress-plugin|ShortPixel Adaptive Images|data-spai data-spai- spai-bg-prepared
wordpress-plugin|Optimole|data-opt-src data-opt-lazy-loaded data-opt-optimized-width optml-bg-lazyloaded optm_lazyload_noscript_style optimole_
wordpress-plugin|Smush|smush-placeholder data-smush-
wordpress-plugin|Imagify|imagify-no-webp
wordpress-plugin|Query Monitor|query-monitor-main
wordpress-plugin|Optimization Detective|data-od-xpath data-od-added-
wordpress-plugin|Image Placeholders|?data-dominant-color
wordpress-plugin|Contact Form 7|wpcf7-spinner wpcf7-list-item wpcf7-not-valid-tip
wordpress-plugin|WPForms|wp-block-wpforms-
wordpress-plugin|HTML Forms|hf-fields-wrap
wordpress-plugin|MetForm|metform- mf-input-wrapper mf-btn-wraper elementor-widget-metform
wordpress-plugin|Kali Forms|kaliforms-form-container
wordpress-plugin|SureForms|srfm-
wordpress-plugin|JetFormBuilder|jet-form-builder jet-form-builder__ jet-form-builder-
wordpress-plugin|Quform|quform-
wordpress-plugin|FormCraft|fc-form-modal formcraft-
wordpress-plugin|Visual Form Builder|visual-form-builder vfb-
wordpress-plugin|Contact Form by BestWebSoft|cntctfrm_
wordpress-plugin|Fast Secure Contact Form|FSContact1 fscf_ fscf-
wordpress-plugin|Drag and Drop Multiple File Upload for Contact Form 7|codedropz- wpcf7-drag-n-drop-file
wordpress-plugin|CF7 Image Captcha|cf7ic cf7ic-icon-wrapper
wordpress-plugin|Ultimate Addons for Contact Form 7|uacf7-
wordpress-plugin|Calculated Fields Form|cp_calculatedfieldsf_ cff-calculated-field
wordpress-plugin|Appointment Hour Booking|cp_appbooking_
wordpress-plugin|Appointment Booking Calendar|cpabc_
wordpress-plugin|WS Form|wsf-form wsf-field-wrapper wsf-sections
wordpress-plugin|Form Maker by 10Web|?fm-form-container
wordpress-plugin|NEX-Forms|nex-forms nex-forms-
wordpress-plugin|eForm|ipt_fsqm_ ipt_uif_
wordpress-plugin|ARForms|arf_form_outer_wrapper arfformfield arffrm_
wordpress-plugin|Super Forms|super-shortcode ?super-form
wordpress-plugin|Gutena Forms|wp-block-gutena-
wordpress-plugin|Piotnet Forms|piotnetforms piotnetforms-
wordpress-plugin|WP Simple Pay|simpay-
wordpress-plugin|WP Full Pay|wpfs-form wpfs-form-
wordpress-plugin|Charitable|charitable-donation-form charitable-form-fields ?campaign-donation-stats
wordpress-plugin|Seamless Donations|dgx-donate- seamless-donations-
wordpress-plugin|Gravity Perks|gpnf-
wordpress-plugin|GravityView|gv-table-view gv-list-view gv-list-container gv-table-container
wordpress-plugin|User Submitted Posts|user-submitted-posts usp_form
wordpress-plugin|Crowdsignal|crowdsignal-forms- wp-block-crowdsignal-forms-
wordpress-plugin|CleanTalk|ct_checkjs_ apbct_
wordpress-plugin|Simple Cloudflare Turnstile|cf-turnstile-failed-text cf-turnstile-br
wordpress-plugin|Advanced Google reCAPTCHA|agr-recaptcha-wrapper
wordpress-plugin|CAPTCHA 4WP|anr_captcha_field c4wp_
wordpress-plugin|Invisible reCaptcha|inv-recaptcha-holder
wordpress-plugin|reCAPTCHA by BestWebSoft|gglcptch gglcptch_
wordpress-plugin|Captcha by BestWebSoft|cptch_
wordpress-plugin|Math Captcha|math-captcha-form
wordpress-plugin|SI CAPTCHA Anti-Spam|captchaSizeDivLarge captchaSizeDivSmall
wordpress-plugin|Wordfence|wf-two-factor
wordpress-plugin|Email Encoder|?eeb-
wordpress-plugin|Hustle|hustle-button-close hustle_module_id_ hustle-layout-body
wordpress-plugin|Icegram Engage|icegram_
wordpress-plugin|Convert Pro|cp-popup-container cp-module-popup cp_style_ cpro-
wordpress-plugin|ConvertPlus|cp-slidein-popup-container cp-info-bar-container
wordpress-plugin|Ninja Popups|snp-pop- snppopup snp-overlay snp-close
wordpress-plugin|Green Popups|ulp-window ulp-overlay ?ulp-content
wordpress-plugin|WP Popups|wppopups-
wordpress-plugin|Popups by Timersys|?spu-box spu-bg spu-content
wordpress-plugin|MailOptin|moOptinForm mo-optin-form- moOptinFormClose
wordpress-plugin|Boxzilla|boxzilla boxzilla-
wordpress-plugin|Brave|brave_popup brave_popup__ bravepop_
wordpress-plugin|HollerBox|holler-box holler-box-
wordpress-plugin|Popup Anything|paoc-
wordpress-plugin|Popup Box|ays-pb-
wordpress-plugin|NotificationX|notificationx- ?nx-bar
wordpress-plugin|Top Bar|tpbr_
wordpress-plugin|Simple Banner|simple-banner-text simple-banner-scripts-js ?simple-banner
wordpress-plugin|My Sticky Bar|mysticky-welcomebar- mysticky-nav
wordpress-plugin|Easy Notification Bar|easy-notification-bar easy-notification-bar-
wordpress-plugin|WP Notification Bars|mtsnb mtsnb-
wordpress-plugin|wBounce|wbounce-
wordpress-plugin|Elementor Pro|elementor-popup-modal elementor-location-
wordpress-plugin|Optin Cat|fca_eoi_
wordpress-plugin|Mailchimp Top Bar|mailchimp-top-bar mctb mctb-
wordpress-plugin|Simple Side Tab|rum_sst_tab
wordpress-plugin|Soliloquy|soliloquy-
wordpress-plugin|Master Slider|ms-parent-id- ms-slide-info ms-skin-default ms-slide-container ?ms-slide
wordpress-plugin|Crelly Slider|crellyslider- crellyslider
wordpress-plugin|Easing Slider|easingslider easingslider-
wordpress-plugin|FooGallery|fg-item-inner wp-block-fooplugins-foogallery
wordpress-plugin|FooBox|foobox foobox- fbx-link
wordpress-plugin|Robo Gallery|robo_gallery_ robo-gallery-
wordpress-plugin|Essential Grid|esg-layout-ready
wordpress-plugin|Image Gallery by Huge-IT|huge_it_gallery huge-it-gallery
wordpress-plugin|Portfolio Gallery by Huge-IT|huge-it-portfolio huge_it_portfolio_
wordpress-plugin|Meow Gallery|mgl-gallery mgl-root mgl-row mgl-box mgl-masonry mgl-tiles mgl-img-container
wordpress-plugin|Meow Lightbox|mwl-img
wordpress-plugin|Lightbox with PhotoSwipe|data-lbwps-
wordpress-plugin|WP Carousel|wpcp-carousel- wpcp-single-item
wordpress-plugin|Logo Carousel|sp-logo-carousel logo-carousel-free-section sp-logo-carousel-
wordpress-plugin|Depicter|depicter-
wordpress-plugin|Image Hover Effects Ultimate|oxi-image-hover-
wordpress-plugin|FV Player|fvplayer fv-player-in-block fvfp_ fp-playlist-horizontal fp-playlist-external
wordpress-plugin|Presto Player|presto-block- presto-player- wp-block-presto-player-
wordpress-plugin|ARVE|arve arve-
wordpress-plugin|EmbedPress|embedpress-wrapper wp-block-embedpress- ep-embed-content-wraper ose-youtube ose-embedpress-responsive
wordpress-plugin|YotuWP|yotuwp yotu-
wordpress-plugin|All-in-One Video Gallery|aiovg aiovg-
wordpress-plugin|Lazy Load for Videos|?lazy-load-youtube lazy-load-vimeo
wordpress-plugin|Videopack|kgvid_
wordpress-plugin|MP3 Audio Player by Sonaar|iron-audioplayer srt_player-container sonaar-
wordpress-plugin|AudioIgniter|audioigniter-
wordpress-plugin|PowerPress|powerpress_
wordpress-plugin|Podlove Web Player|podlove-web-player-loading
wordpress-plugin|Podcast Player|pp-podcast
wordpress-plugin|Smart Podcast Player|smart-track-player smart-podcast-player spp-shsp-
wordpress-plugin|WonderPlugin|wonderplugin-
wordpress-plugin|Awesome Flickr Gallery|afg-gallery afg-table
wordpress-plugin|Slideshow|?slideshow_container_
wordpress-plugin|HTML5 Audio Player|h5ap_
wordpress-plugin|HTML5 Video Player|h5vp_
wordpress-plugin|Smash Balloon YouTube Feed|sb_youtube_ sby_
wordpress-plugin|Reviews Feed|sb-reviews-container
wordpress-plugin|Social Feed Gallery|qligg- ?insta-gallery-
wordpress-plugin|Spotlight Social Feeds|spotlight-instagram-feed
wordpress-plugin|WP Social Ninja|wpsr-reviews- wpsr-ig- wpsr-fb- wpsr-yt- wpsr-feed- wpsr-localize-script
wordpress-plugin|Enjoy Social Feed|enjoy-instagram-
wordpress-plugin|10Web Social Photo Feed|wdi_feed_
wordpress-plugin|Easy Social Feed|efbl_feed_wraper esf_insta_feed_wraper esf-insta- efbl-
wordpress-plugin|Social Warfare|swp_share_button swp_count swp-pinterest-image
wordpress-plugin|Grow Social|dpsp- data-dpsp- ?hubbub-
wordpress-plugin|Novashare|ns-buttons-wrapper ns-pinterest-image ?ns-button-wrapper ns-share-count
wordpress-plugin|Simple Share Buttons Adder|ssba ssba- ssbp-list
wordpress-plugin|Simple Social Buttons|simplesocialbuttons simplesocial- ssb_followers
wordpress-plugin|WP Socializer|wpsr-share-icons wpsr-sharebar ?socializer
wordpress-plugin|Digg Digg|dd_post_share dd_outer dd_ajax_float dd_content_wrap
wordpress-plugin|Kiwi Social Share|kiwi-article-bar kiwi-floating-bar
wordpress-plugin|Arqam|arqam-
wordpress-plugin|AccessPress Social Share|apss-
wordpress-plugin|AccessPress Social Icons|aps-social-icon-wrapper aps-group-horizontal aps-group-vertical
wordpress-plugin|AccessPress Twitter Feed|aptf-
wordpress-plugin|Pinterest Pin It Button On Image Hover|pibfi_pinterest pibfi_pinterest_style-css
wordpress-plugin|jQuery Pin It Button for Images|jpibfi jpibfi_
wordpress-plugin|miniOrange Social Login|mo-openid- mo_openid_
identity|OneAll|oneall_social_login oneall_social_login_
wordpress-plugin|WordPress Social Login|wp-social-login-
wordpress-plugin|Ultimate Social Media PLUS|sfsi_plus_
wordpress-plugin|WP Social|xs_social_share_widget xs_counter_wid wslu- xs-wsp-
wordpress-plugin|Naked Social Share|nss-social-buttons naked-social-share
wordpress-plugin|Share This Image|sti-share-box ?sti-top
wordpress-plugin|ZillaLikes|zilla-likes
wordpress-plugin|Zilla Shortcodes|zilla-tabs zilla-button zilla-toggle zilla-alert
wordpress-plugin|Cresta Social Share Counter|crestashareicon cresta-share-icon crestadayscount
wordpress-plugin|Floating Social Bar|fsb-social-bar
wordpress-plugin|Social Sharing by Danny|dvkss dvk-social-
wordpress-plugin|Sociable|sociable_
wordpress-plugin|Shareaholic|shr_canvas_loader shareaholic-
wordpress-plugin|Juiz Social Post Sharer|juiz_sps_
wordpress-plugin|Really Simple Share|really_simple_share really_simple_share_
wordpress-plugin|Sharify|sharify-
wordpress-plugin|Fuse Social Floating Sidebar|fuse_social_icons_links
wordpress-plugin|Sharebar|sharebarx
wordpress-plugin|Custom Related Posts|crp-list-item-image crp-list-item-has-image crp-list-item-title
wordpress-plugin|Related Posts Thumbnails|relpost_content relpost-block-
wordpress-plugin|Related Posts by Taxonomy|rpbt_
wordpress-plugin|nRelate|nrelate_
wordpress-plugin|Smart Post Show|sp-pcp- pcp-wrapper-
wordpress-plugin|Blog Designer|bdp_blog_template
wordpress-plugin|WP Ultimate Post Grid|wpupg-
wordpress-plugin|WP Grid Builder|wp-grid-builder wpgb-
wordpress-plugin|FacetWP|facetwp-
wordpress-plugin|Search & Filter Pro|sf-field-search sf-input-select ?search-filter-results- search-filter-results
wordpress-plugin|Ajax Load More|alm-load-more-btn alm-reveal
wordpress-plugin|Post Views Counter|post-views-label ?post-views-icon
wordpress-plugin|Page View Count|pvc_stats pvc-stats-icon pvc_stats_
wordpress-plugin|Special Recent Posts|srp-widget-container srp-post-title
wordpress-plugin|PostX|ultp- wp-block-ultimate-post-
wordpress-plugin|WP Latest Posts|wpcu-front-posts wplp_
wordpress-plugin|Ultimate Post Kit|bdt-upk- elementor-widget-upk- ?upk-
wordpress-plugin|Organize Series|serieslist- ?seriesmeta seriesbox
wordpress-plugin|Archives Calendar Widget|?calendar-archives
wordpress-plugin|Create by Mediavine|mv-create- mv-creation-
wordpress-plugin|EasyRecipe|ERSName ERSNotes ERSInstructions ERSTimes ERSRatings
wordpress-plugin|Meal Planner Pro|mpprecipe mpprecipe-
wordpress-plugin|WP Delicious|dr-summary-holder wpdelicious- ?dr-recipe-
wordpress-plugin|WP Recipe Maker|wprm-
wordpress-plugin|WP Recipe Maker Premium|wprmp-
wordpress-plugin|Recipe Card|yumprint-recipe- blog-yumprint-
wordpress-plugin|Simmer|simmer-recipe simmer-recipe-
wordpress-plugin|Recipe Card Blocks|wpzoom-rcb wpzoom-recipe-card- wpzoom-rcb-
wordpress-plugin|Feast Plugin|feast-advanced-jump-to fsri- feast-grid- feast-recipe-index feast-category-index feast-jump-to-list
wordpress-plugin|Five Star Restaurant Menu|fdm-menu fdm-item-title
wordpress-plugin|Five Star Restaurant Reservations|rtb-booking-form
wordpress-plugin|WPPizza|wppizza-
wordpress-plugin|GloriaFood|glf-button data-glf-cuid data-glf-ruid
wordpress-plugin|Food Menu|rt-fm- ?fmp-title
advertising|Chicory|chicory-order-ingredients
wordpress-plugin|Slickstream|slickstream-
wordpress-plugin|RecipePress Reloaded|rpr-container rpr_title rpr-ingredient-list
wordpress-plugin|Joli Table of Contents|wpj-jtoc wpj-jtoc-- joli-toc-wrapper
wordpress-plugin|SimpleTOC|simpletoc- wp-block-simpletoc-
wordpress-plugin|Fixed TOC|ftwp-
wordpress-plugin|CM Table Of Contents|cmtoc_
wordpress-plugin|Heroic Table of Contents|htoc__
wordpress-plugin|Rich Table of Contents|rtoc-
wordpress-plugin|Reading Time WP|span-reading-time rt-reading-time
wordpress-plugin|Read Meter|bsf-rt- bsf_rt_
wordpress-plugin|Reading progressbar|?readingProgressbar
wordpress-plugin|WP Reading Progress|wp-reading-progress
wordpress-plugin|WP-Members|wpmem_
wordpress-plugin|s2Member|ws-plugin--s2member-
wordpress-plugin|MemberMouse|mm-formfield mm-common-core.js-js
wordpress-plugin|WishList Member|wishlist-member-form wlm3-
wordpress-plugin|ARMember|arm_member_form_container arm_form_
wordpress-plugin|Ultimate Membership Pro|ihc-form-create-edit ihc-login-template- ihc-locker-wrap
wordpress-plugin|User Registration|ur-frontend-form ?ur-form- user-registration-
wordpress-plugin|Profile Builder|wppb-form-field wppb-user-forms wppb-login-wrap wppb-register- wppb-default-
wordpress-plugin|ProfileGrid|pmagic ?pm-profile-card
wordpress-plugin|BuddyBoss Platform|bb-buddypanel bb-template-v2
wordpress-plugin|PeepSo|peepso ps-postbox peepso-
wordpress-plugin|wpForo|wpforo- ?wpf-head
wordpress-plugin|Asgaros Forum|asgarosforum
wordpress-plugin|DW Question & Answer|dwqa-
wordpress-plugin|AnsPress|anspress anspress-
wordpress-plugin|Simple Press|spMainContainer
wordpress-plugin|LifterLMS|lifterlms
wordpress-plugin|Sensei LMS|sensei-course- wp-block-sensei-lms-
wordpress-plugin|Masteriyo|masteriyo masteriyo-
wordpress-plugin|MasterStudy LMS|stm_lms_ masterstudy-
wordpress-plugin|WP Courseware|wpcw-course wpcw_fe_ wpcw-course-
wordpress-plugin|Quiz and Survey Master|qsm- mlw_ qmn_quiz_
wordpress-plugin|HD Quiz|hdq_
wordpress-plugin|Quiz Maker|ays-quiz-
wordpress-plugin|Quiz Cat|fca_qc_
wordpress-plugin|WP Quiz|wq_quizCtr
wordpress-plugin|Thrive Quiz Builder|tqb-
wordpress-plugin|TotalPoll|totalpoll-
wordpress-plugin|Poll Maker|ays-poll-
wordpress-plugin|Democracy Poll|dem-screen dem-vote-link democracy__bottom
wordpress-plugin|GamiPress|gamipress-
wordpress-plugin|myCRED|mycred- myCRED-
wordpress-plugin|BadgeOS|badgeos-item- badgeos_
wordpress-plugin|WP User Manager|wpum-
wordpress-plugin|Front End PM|fep-wrapper
wordpress-plugin|UsersWP|uwp_widgets uwp-login-form uwp-profile-
wordpress-plugin|Clean Login|cleanlogin-
wordpress-plugin|rtMedia|rtmedia-
wordpress-plugin|Better Messages|bp-messages-wrap
wordpress-plugin|Leaky Paywall|leaky_paywall_ leaky_paywall_subscription leaky_paywall_message_wrap leaky_paywall
wordpress-plugin|WooCommerce Memberships|wc-memberships- woocommerce-members-only
wordpress-plugin|SureMembers|suremembers-
wordpress-plugin|Content Control|content-control-not-restricted content-control-protected
wordpress-plugin|Event Tickets|tribe-tickets tribe-tickets__ tribe-tickets-
wordpress-plugin|EventON|evcal_
wordpress-plugin|Sugar Calendar|sc_events_calendar sugar-calendar-
wordpress-plugin|Event Espresso|event-espresso- ee-event-list
wordpress-plugin|Simple Calendar|simcal-
wordpress-plugin|WP Event Manager|wpem-
wordpress-plugin|Eventin|?etn-
wordpress-plugin|EventPrime|ep-event-card-title
wordpress-plugin|Events Made Easy|eme-calendar- eme_
wordpress-plugin|Event Calendar WD|ecwd_ ecwd-
wordpress-plugin|Timetable and Event Schedule|mptt-
wordpress-plugin|The Events Calendar Shortcode & Block|ecs-event-list ecs-events
wordpress-plugin|Countdown Timer Ultimate|wpcdt-
wordpress-plugin|HurryTimer|hurrytimer-
wordpress-plugin|Countdown Builder|ycd-
wordpress-plugin|WP FullCalendar|wpfc-calendar-wrapper wpfc-calendar
wordpress-plugin|Tickera|tickera tickera-button
wordpress-plugin|FooEvents|fooevents- fooevents_
wordpress-plugin|Booking Calendar|wpbc_ bk_calendar_frame
wordpress-plugin|BookingPress|bpa-frontend-main-container bookingpress_
wordpress-plugin|LatePoint|latepoint-
wordpress-plugin|Booked|booked-calendar-
wordpress-plugin|Easy Appointments|ea-bootstrap
wordpress-plugin|Salon Booking System|sln-salon sln-bootstrap
wordpress-plugin|MotoPress Hotel Booking|mphb_ mphb-
wordpress-plugin|WP Booking System|wpbs-container wpbs-calendar
wordpress-plugin|Pinpoint Booking System|DOPBSPCalendar
wordpress-plugin|Webba Booking|?wbk-
wordpress-plugin|WooCommerce Bookings|wc-bookings-
wordpress-plugin|WP Travel|wp-travel-
wordpress-plugin|WP Travel Engine|wpte- wptravelengine- wp-travel-engine-
wordpress-plugin|Tourmaster|tourmaster-
wordpress-plugin|HBook|hb-booking-search-form hb-accom-list
wordpress-plugin|FareHarbor|fh-button-true-flat-blue
wordpress-plugin|ALO EasyMail Newsletter|alo_easymail_
wordpress-plugin|Easy Forms for Mailchimp|yikes-easy-mc- yikes-mailchimp-
email-marketing|Brevo|sib-form- sib-form sib_signup_form sib-form-container
email-marketing|Kit|convertkit- wp-block-convertkit-
wordpress-plugin|Noptin|noptin-
wordpress-plugin|Groundhogg|groundhogg-
wordpress-plugin|FluentCRM|fluentcrm_
wordpress-plugin|SendPress|sendpress-
wordpress-plugin|Mad Mimi|mimi-form mad-mimi-
wordpress-plugin|Benchmark Email|benchmarkemail-
wordpress-plugin|Campaign Monitor for WordPress|cmapp_
wordpress-plugin|WP Subscribe|?wp-subscribe wp-subscribe-
wordpress-plugin|Magic Action Box|mab-wrap mab-type- magic-action-box
wordpress-plugin|OptinSkin|optinskin
consent-management|CookieYes|cookie-law-info- cli-bar- cookie-law-info-bar cky-consent-container cli-user-preference-checkbox cli_settings_button
consent-management|Moove GDPR|gdpr_lightbox moove_gdpr_cookie_info_bar moove_gdpr_cookie_modal
wordpress-plugin|Real Cookie Banner|rcb-content-blocker real-cookie-banner-
wordpress-plugin|Borlabs Cookie|BorlabsCookieEntranceA11YDescription data-borlabs-
wordpress-plugin|EU Cookie Law|pea_cook_
wordpress-plugin|DSGVO All in one|dsdvo- dsgvoaio dsgvoaio_ ?dsgvo_notice
wordpress-plugin|Beautiful and responsive cookie consent|nsc-bar-
wordpress-plugin|Ginger EU Cookie Law|ginger_container ginger-cookie
wordpress-plugin|Cookie Bar|?eu-cookie-bar
wordpress-plugin|Weepie Cookie Allow|wpca-bar wpca-replacement-
wordpress-plugin|Ultimate GDPR & CCPA Compliance Toolkit|ct-ultimate-gdpr-
wordpress-plugin|Surbma GDPR Proof Google Analytics|surbma-gpga-
wordpress-plugin|WP AutoTerms|wpautoterms-
wordpress-plugin|Cookies and Content Security Policy|cacspMessages cacsp-
wordpress-plugin|wpDiscuz|wpd-comment wpd-form wpdcom wpd-form- wpd-comment-
wordpress-plugin|Comments Evolved|comments-evolved comments-evolved-
wordpress-plugin|CommentLuv|cluv commentluv
wordpress-plugin|Simple Comment Editing|sce-edit-
wordpress-plugin|Heateor Social Comments|heateor_sc_
wordpress-plugin|De:comments|decomments-
wordpress-plugin|Lazy Load for Comments|llc_comments
wordpress-plugin|WpDevArt Social Comments|wpdevart_fb_ wpdevar_comment_
wordpress-plugin|Adning|_ning_
wordpress-plugin|WP PRO Advertising System|wppas- wpproaddlink
wordpress-plugin|WP Bannerize|wp_bannerize_
wordpress-plugin|Useful Banner Manager|useful_banner_manager_
wordpress-plugin|DeBlocker|mdp-deblocker-
wordpress-plugin|Ad Invalid Click Protector|?aicp
wordpress-plugin|AdAce|adace-
wordpress-plugin|Random Banner|bc_random_
wordpress-plugin|Meks Easy Ads Widget|mks_ads_widget
wordpress-plugin|Insert Post Ads|insert-post-ads
wordpress-plugin|Corner Ad|codepeople-corner-ad
wordpress-plugin|Lasso|data-lasso-
wordpress-plugin|AffiliateX|wp-block-affiliatex- affx-
wordpress-plugin|AffiliateWP|affwp-
wordpress-plugin|Affiliate Coupons|affcoups-
wordpress-plugin|WP Coupons and Deals|wpcd-coupon wpcd-coupon-
wordpress-plugin|Auto Amazon Links|amazon-auto-links amazon-auto-links- aal-credit-link
wordpress-plugin|affiliate-toolkit|atkp-
wordpress-plugin|Azonpress|azonpress_ azonpress-
wordpress-plugin|Ultimate Affiliate Pro|uap-login-template-
wordpress-plugin|Affiliates Manager|wpam-registration-form
wordpress-plugin|SliceWP|slicewp-
wordpress-plugin|ASA 2|asa2- asa2_
wordpress-plugin|AmaLinks Pro|amalinkspro-
wordpress-plugin|Rich Showcase for Google Reviews|rplg rpi-star rplg-
wordpress-plugin|Trustindex|trustindex-widget ti-reviews-container-wrapper ti-reviews-container
wordpress-plugin|WP Review Slider|wprevpro wprevpro_ wprev-slider wppro_ w3_wprs- wprs_unslider
wordpress-plugin|Customer Reviews for WooCommerce|cr-reviews-grid ivole- cr-summaryBox-wrap cr-reviews-slider
wordpress-plugin|Review Schema|rtrs-
wordpress-plugin|Reviewer|rwp-review-wrap rwp-review
wordpress-plugin|WP Product Review|wppr- review-wu-
wordpress-plugin|Real Testimonials|?sp-testimonial-
wordpress-plugin|Easy Testimonials|easy_testimonial easy_testimonial_
wordpress-plugin|BNE Testimonials|bne-testimonial-
wordpress-plugin|WP Testimonials with Rotator Widget|wptww- wtwp-
wordpress-plugin|Let's Review|lets-review-
wordpress-plugin|Thumbs Rating|?thumbs-rating-
wordpress-plugin|Rating-Widget|rw-ui-container
wordpress-plugin|Taqyeem|taq_review
wordpress-plugin|Author hReview|ta_headline_meta ?hreview-wrap
wordpress-plugin|Ultimate Reviews|ewd-urp-
wordpress-plugin|Testimonial Slider and Showcase|tss-wrapper
wordpress-plugin|YITH WooCommerce Compare|yith-woocompare-
wordpress-plugin|YITH WooCommerce Quick View|yith-wcqv- yith-quick-view-
wordpress-plugin|YITH WooCommerce Ajax Search|yith-ajaxsearchform-
wordpress-plugin|YITH WooCommerce Ajax Product Filter|yith-wcan- yith-wcan yith-woo-ajax-navigation
wordpress-plugin|YITH WooCommerce Zoom Magnifier|yith_magnifier_
wordpress-plugin|YITH WooCommerce Badge Management|yith-wcbm-
wordpress-plugin|YITH WooCommerce Gift Cards|ywgc-
wordpress-plugin|YITH WooCommerce Product Add-ons|yith-wapo-
wordpress-plugin|YITH WooCommerce Frequently Bought Together|yith-wfbt-
wordpress-plugin|YITH WooCommerce Request a Quote|yith-ywraq-
wordpress-plugin|YITH WooCommerce Color and Label Variations|select_box_colorpicker
wordpress-plugin|TI WooCommerce Wishlist|tinv-wishlist tinvwl- tinvwl_
wordpress-plugin|Variation Swatches for WooCommerce|woo-variation-swatches wvs-theme- wvs-behavior- woo-variation-swatches-
wordpress-plugin|Variation Swatches for WooCommerce by RadiusTheme|rtwpvs- rtwpvs
wordpress-plugin|Variation Swatches for WooCommerce by CartFlows|cfvsw-
wordpress-plugin|Additional Variation Images Gallery for WooCommerce|woo-variation-gallery- woo-variation-product-gallery
wordpress-plugin|Variation Images Gallery for WooCommerce|rtwpvg-
wordpress-plugin|Side Cart WooCommerce|xoo-wsc-
wordpress-plugin|Login/Signup Popup|xoo-el-
wordpress-plugin|Waitlist WooCommerce|xoo-wl-
wordpress-plugin|Quick View WooCommerce|xoo-qv-
wordpress-plugin|WP Menu Cart|wpmenucartli wpmenucart-
wordpress-plugin|WPC Fly Cart|woofc-
wordpress-plugin|WPC Smart Wishlist|woosw-
wordpress-plugin|WPC Smart Compare|woosc-
wordpress-plugin|WPC Smart Quick View|woosq-
wordpress-plugin|WPC Product Bundles|woosb-
wordpress-plugin|WPC Frequently Bought Together|woobt-
wordpress-plugin|WPC Linked Variation|wpclv-
wordpress-plugin|WPC Added To Cart Notification|wooac-
wordpress-plugin|WPC Grouped Product|woosg-
wordpress-plugin|WPC Composite Products|wooco-
wordpress-plugin|HUSKY Products Filter|woof_
wordpress-plugin|Advanced AJAX Product Filters|bapf_ berocket_aapf_ berocket_single_filter_widget
wordpress-plugin|Advanced Product Labels for WooCommerce|berocket_better_labels br_alabel berocket_alabel_
wordpress-plugin|Load More Products for WooCommerce|lmp_load_more_button
wordpress-plugin|Grid/List View for WooCommerce|berocket_lgv_ br_lgv_
wordpress-plugin|Product Filter by WBW|wpfMainWrapper wpfFilterWrapper
wordpress-plugin|Product Filter for WooCommerce|prdctfltr_
wordpress-plugin|annasta Woocommerce Product Filters|awf-filter-container awf-preset-wrapper
wordpress-plugin|JetWooBuilder|jet-woo-
wordpress-plugin|ShopEngine|shopengine-
wordpress-plugin|ShopLentor|woolentor-
wordpress-plugin|WooCommerce Product Bundles|bundled_product_summary ?bundle_form
wordpress-plugin|WooCommerce Product Add-Ons|wc-pao-
wordpress-plugin|WooCommerce Mix and Match|mnm_form mnm_item
wordpress-plugin|WooCommerce Gift Cards|wc_gc_
wordpress-plugin|All Products for WooCommerce Subscriptions|wcsatt-options wcsatt-options-
wordpress-plugin|WooCommerce Points and Rewards|wc-points-rewards-
wordpress-plugin|WooCommerce Deposits|wc-deposits-
wordpress-plugin|WooCommerce PayPal Payments|ppc-button-wrapper ppcp-messages ppc-button-ppcp-gateway
wordpress-plugin|Mollie Payments for WooCommerce|mollie-components
wordpress-plugin|Square for WooCommerce|wc-square-
wordpress-plugin|Braintree|wc-braintree-
wordpress-plugin|WooCommerce Checkout Manager|wooccm-
wordpress-plugin|CheckoutWC|cfw-checkout-form cfw-customer-info-tab
wordpress-plugin|FunnelKit Cart|fkcart-
wordpress-plugin|Fluid Checkout|has-fluid-checkout
wordpress-plugin|CartFlows|wcf-embed- cartflows-
wordpress-plugin|Germanized for WooCommerce|wc-gzd-
wordpress-plugin|German Market|wgm-info wgm-tax-disclaimer
wordpress-plugin|CURCY|woocommerce-multi-currency wmc-currency wmc-price-cache-
wordpress-plugin|FOX Currency Switcher|woocommerce-currency-switcher-form woocs_
wordpress-plugin|Aelia Currency Switcher|widget_wc_aelia_currencyswitcher_widget
wordpress-plugin|Price Based on Country for WooCommerce|wcpbc-price
wordpress-plugin|Discount Rules for WooCommerce|awdr-
wordpress-plugin|Dokan|dokan-
wordpress-plugin|WCFM|wcfm- wcfm_
wordpress-plugin|WCFM Marketplace|wcfmmp- wcfmmp_
wordpress-plugin|WC Vendors|wcvendors_ wcv-form
wordpress-plugin|MultiVendorX|wcmp_vendor_list wcmp- mvx-
wordpress-plugin|WooCommerce Products Slider|wcps-
wordpress-plugin|WooCommerce Product Table|wc-product-table
wordpress-plugin|Product Table for WooCommerce|wpt_product_
wordpress-plugin|Qty Increment Buttons for WooCommerce|qib-container qib-button
wordpress-plugin|Photo Reviews for WooCommerce|wcpr-
wordpress-plugin|Product Video Gallery Slider for WooCommerce|nickx- nickx_
wordpress-plugin|WooSwipe|wooswipe
wordpress-plugin|WooThumbs for WooCommerce|iconic-woothumbs-
wordpress-plugin|Attribute Swatches for WooCommerce|iconic-was-
wordpress-plugin|Flux Checkout for WooCommerce|flux-checkout
wordpress-plugin|WooCommerce Wholesale Prices|wholesale_price_container wholesale_price_title
wordpress-plugin|B2BKing|b2bking_
wordpress-plugin|Extra Product Options for WooCommerce|tc-extra-product-options tm-extra-product-options tm-epo-
wordpress-plugin|Fancy Product Designer|fpd-product-designer-wrapper fpd-container fpd-product
wordpress-plugin|PPOM for WooCommerce|ppom-
wordpress-plugin|WooCommerce Custom Product Addons|wcpa_
wordpress-plugin|Lumise|lumise-
wordpress-plugin|Advanced Product Fields for WooCommerce|wapf-
wordpress-plugin|Order Delivery Date for WooCommerce|e_deliverydate_field
wordpress-plugin|WooCommerce Delivery Slots|jckwds-
wordpress-plugin|Finale|wcct_
wordpress-plugin|NextMove|xlwcty_
wordpress-plugin|Notification for WooCommerce|?message-purchased
wordpress-plugin|Back In Stock Notifier for WooCommerce|cwginstock-
wordpress-plugin|Facebook for WooCommerce|wc-facebook-pixel-event-placeholder
wordpress-plugin|Packeta|packetery-
wordpress-plugin|Booster for WooCommerce|wcj-
wordpress-plugin|Product Gallery Slider for WooCommerce|wpgs-image wpgs-for wpgs-nav woo-product-gallery-slider
wordpress-plugin|Smart Variations Images|svi_wrapper woosvi-images
wordpress-plugin|WooCommerce Simple Auctions|wsawl- ?auction-time-countdown
wordpress-plugin|Perfect Brands for WooCommerce|pwb-
wordpress-plugin|Mailchimp for WooCommerce|mailchimp_woocommerce_newsletter
wordpress-plugin|Points and Rewards for WooCommerce|wps_wpr_
wordpress-plugin|WooRewards|lws_wr_ lws_woorewards_
wordpress-plugin|Free Gifts for WooCommerce|?fgf-
wordpress-plugin|WooCommerce Social Login|wc-social-login
wordpress-plugin|Ecwid|ecwid-
wordpress-plugin|SureCart|wp-block-surecart- surecart-
wordpress-plugin|WP eCommerce|wpsc_buy_button wpsc_loading_animation wpsc_product_price
wordpress-plugin|Jigoshop|jigoshop_
wordpress-plugin|Cart66|Cart66ButtonPrimary Cart66Button
wordpress-plugin|Simple Shopping Cart|wp_cart_button_wrapper wspsc_ wp-cart-button-form
wordpress-plugin|WP EasyCart|ec_product_widget
wordpress-plugin|Welcart|usces- usces_
wordpress-plugin|Essential Addons for Elementor|elementor-widget-eael-
wordpress-plugin|Element Pack|elementor-widget-bdt-
wordpress-plugin|Premium Addons for Elementor|elementor-widget-premium-
wordpress-plugin|Happy Addons|happy-addon elementor-widget-ha-
wordpress-plugin|ElementsKit|elementor-widget-elementskit- elementor-widget-ekit-
wordpress-plugin|PowerPack for Elementor|elementor-widget-pp- pp-advanced-menu-main-wrapper
wordpress-plugin|JetEngine|jet-engine-listing-overlay-wrap jet-listing-grid__ jet-listing-dynamic-
wordpress-plugin|JetSmartFilters|jet-smart-filters jet-smart-filters-
wordpress-plugin|JetPopup|jet-popup-
wordpress-plugin|JetBlocks|jet-auth-links elementor-jet-auth-links
wordpress-plugin|Royal Elementor Addons|elementor-widget-wpr-
wordpress-plugin|Unlimited Elements for Elementor|elementor-widget-ucaddon_ uc-filterable-grid uc_overlay_image_carousel ue_taxonomy
wordpress-plugin|The Plus Addons for Elementor|elementor-widget-tp- theplus- theplus_
wordpress-plugin|Livemesh Addons for Elementor|elementor-widget-lae- ?lae-
wordpress-plugin|Master Addons for Elementor|jltma- elementor-widget-ma-el- elementor-widget-jltma-
wordpress-plugin|Prime Slider|bdt-prime-slider bdt-prime-slider- elementor-widget-prime-slider-
wordpress-plugin|Qi Addons for Elementor|qodef-qi- qi-addons-for-elementor-
wordpress-plugin|Xpro Addons for Elementor|xpro-elementor- elementor-widget-xpro-
wordpress-plugin|Sina Extension for Elementor|elementor-widget-sina_
wordpress-plugin|Stratum|elementor-widget-stratum-
wordpress-plugin|Piotnet Addons for Elementor|pafe- data-pafe-
wordpress-plugin|Dynamic Content for Elementor|elementor-widget-dce- dce-posts- elementor-dce-
wordpress-plugin|Ele Custom Skin|ecs-posts ecs-post-loop
wordpress-plugin|HT Mega|htmega- elementor-widget-htmega-
wordpress-plugin|Timeline Widget for Elementor|twae-
wordpress-plugin|Sticky Header Effects for Elementor|she-header-yes ?she-header
wordpress-plugin|ThemeREX Addons|trx_addons_
wordpress-plugin|Jeg Elementor Kit|elementor-widget-jkit_ jeg-elementor-kit
wordpress-plugin|Ocean Elementor Widgets|elementor-widget-oew-
wordpress-plugin|LA-Studio Element Kit for Elementor|elementor-widget-lakit- lakit-
wordpress-plugin|Neuron Builder|elementor-widget-neuron-
wordpress-plugin|Thim Elementor Kit|elementor-widget-thim-ekits- thim-ekit-
wordpress-plugin|Ultimate Store Kit|elementor-widget-usk- ?usk-
wordpress-plugin|Phlox Core Elements|elementor-widget-aux_
wordpress-plugin|ElementsReady|element-ready-
wordpress-plugin|Elementor Addon Elements|elementor-widget-eae- eae-particle-no
wordpress-plugin|Divi|et-l--header et-l--footer et-l--body
wordpress-plugin|Divi Supreme|dsm_
wordpress-plugin|Divi Pixel|dipi_ dipi-
wordpress-plugin|DiviFlash|difl_
wordpress-plugin|Divi Plus|dipl_
wordpress-plugin|Divi Essential|dnxte_ dnext_
wordpress-plugin|Wow Carousel for Divi|wdcl_
wordpress-plugin|Divi Booster|wtfdivi-user-css-css
wordpress-plugin|Divi Machine|dmach-
wordpress-plugin|Visual Composer Website Builder|vce-row-container vce-text-block vcv- vce-row--col-gap-
wordpress-plugin|Themify Builder|?module_row module_row_
wordpress-plugin|KingComposer|kc_row kc_clfw kc-css- kc_column
wordpress-plugin|MotoPress Content Editor|mp-row-fluid motopress-
wordpress-plugin|Page Builder by Pagelayer|pagelayer-
wordpress-plugin|WP Page Builder|wppb-builder-container wppb-row-
wordpress-plugin|Nimble Page Builder|sek-section sek-column sektion-wrapper
wordpress-plugin|Page Builder Sandwich|pbs-main-wrapper ?pbs-row
wordpress-plugin|Aqua Page Builder|aq-block aq-template-wrapper aq-block-
wordpress-plugin|GoodLayers Core|gdlr-core-
wordpress-plugin|Tatsu|tatsu-
wordpress-plugin|Bold Builder|bt_bb_
wordpress-plugin|Unyson|fw-page-builder-content fw-main-row ?fw-col-inner
wordpress-plugin|OptimizePress|?op3-
wordpress-plugin|Massive Addons|mpc-row
wordpress-plugin|Livemesh Addons for WPBakery|lvca-
wordpress-plugin|SeedProd|seedprod- sp-el-section
wordpress-plugin|Droip|droip-
wordpress-plugin|Cwicly|wp-block-cwicly-
wordpress-plugin|GenerateBlocks|gb-element-
wordpress-plugin|CoBlocks|coblocks-
wordpress-plugin|Genesis Blocks|gb-block- gb-layout-columns- ab-block-
wordpress-plugin|Qubely|qubely- wp-block-qubely-
wordpress-plugin|Gutentor|gutentor- wp-block-gutentor-
wordpress-plugin|Premium Blocks for Gutenberg|wp-block-premium- premium-blocks-
wordpress-plugin|GutenBee|wp-block-gutenbee-
wordpress-plugin|Ghost Kit|ghostkit-
wordpress-plugin|Nexter Blocks|tpgb- wp-block-tpgb-
wordpress-plugin|Blockspare|wp-block-blockspare- blockspare-
wordpress-plugin|Responsive Blocks|responsive-block-editor-addons- wp-block-responsive-block-editor-addons-
wordpress-plugin|SimpLy Gallery|pgcsimplygalleryblock- wp-block-pgcsimplygalleryblock-
wordpress-plugin|Snow Monkey Blocks|wp-block-snow-monkey-blocks- ?smb-section
wordpress-plugin|VK Blocks|wp-block-vk-blocks- vk_borderBox
wordpress-plugin|WowStore|wopb-
wordpress-plugin|Layout Grid Block|wp-block-jetpack-layout-grid
wordpress-plugin|Newspack Blocks|wp-block-newspack-blocks-
wordpress-plugin|Lazy Blocks|wp-block-lazyblock- lazyblock-
wordpress-plugin|Advanced Custom Fields|wp-block-acf- ?acf-map
wordpress-plugin|Gutenslider|wp-block-eedee-
wordpress-plugin|Code Block Pro|wp-block-kevinbatdorf-code-block-pro
wordpress-plugin|Highlighting Code Block|hcb_wrap wp-block-loos-hcb
wordpress-plugin|Flexible Table Block|wp-block-flexible-table-block-table
wordpress-plugin|Accordion Blocks|wp-block-pb-accordion-item
wordpress-plugin|The Icon Block|wp-block-outermost-icon-block
wordpress-plugin|Social Sharing Block|wp-block-outermost-social-sharing outermost-social-sharing-link
wordpress-plugin|Block Visibility|block-visibility-hide-
wordpress-plugin|Editor Plus|eplus-wrapper eplus-styles-
wordpress-plugin|Toolset Blocks|wp-block-toolset-blocks- data-toolset-
wordpress-plugin|Toolset Views|wpv-view-output js-wpv-
wordpress-plugin|Pods|pods-form wp-block-pods-
wordpress-plugin|Meta Box|rwmb-
wordpress-plugin|MaxiBlocks|maxi-block maxi-row-block maxi-block-
wordpress-plugin|TranslatePress|trp_language_switcher_shortcode trp-ls-shortcode- trp-language-switcher- trp-floater-ls
wordpress-plugin|Weglot|weglot_switcher
wordpress-plugin|Google Language Translator|glt-translate-trigger ?glt-footer glt-flag
wordpress-plugin|qTranslate-XT|qtranxs_ qtranxs-
wordpress-plugin|Transposh|transposh_
wordpress-plugin|MultilingualPress|mlp-language-nav-item mlp_language_box
wordpress-plugin|Linguise|linguise_
wordpress-plugin|WP Multilang|wpm-language-switcher wpm-switcher
wordpress-plugin|ConveyThis|conveythis-
wordpress-plugin|MonsterInsights|monsterinsights-
wordpress-plugin|Simple CSS|simple-css-output
wordpress-plugin|Kirki|kirki-inline-styles kirki-styles-css kirki-css-vars
wordpress-plugin|OptionTree|ot-google-fonts-css
wordpress-plugin|Redux Framework|redux-google-fonts- redux_demo-dynamic-css ?theme_options-dynamic-css
wordpress-plugin|Easy Google Fonts|tt-easy-google-font-styles
wordpress-plugin|WP SVG Icons|wp-svg-custom- wp-svg-icon-
wordpress-plugin|Menu Icons|_mi
wordpress-plugin|Microthemer|microthemer-css
wordpress-plugin|CSS Hero|csshero-
wordpress-plugin|SiteOrigin CSS|siteorigin-custom-css
wordpress-plugin|PWA for WP & AMP|pwaforwp- pwaforwp_
wordpress-plugin|AMP for WP|ampforwp-
wordpress-plugin|Perfecty Push|perfecty-push-
wordpress-plugin|Webpushr|webpushr-
wordpress-plugin|AI Engine|mwai- data-mwai-
wordpress-plugin|WP Dark Mode|wp-dark-mode- wp-dark-mode
wordpress-plugin|Dracula Dark Mode|dracula-toggle-
wordpress-plugin|Droit Dark Mode|droit-dark-
wordpress-plugin|WP Accessibility|wpa-hide-ltr wpa-ltr
wordpress-plugin|Zeno Font Resizer|zeno_font_resizer_container zeno_font_resizer
wordpress-plugin|Accessibility Toolbar by WAH|wahcolor wah_window_
wordpress-plugin|Groovy Menu|gm-main-menu-wrapper gm-preset-id- groovy-menu- ?gm-navbar
wordpress-plugin|WP Responsive Menu|wprmenu_ wprmenu-
wordpress-plugin|WP Mega Menu|wpmm-nav-wrap wp-megamenu-
wordpress-plugin|AP Mega Menu|wpmega-openblock
wordpress-plugin|Hero Menu|hmenu_load_menu hero_menu_
wordpress-plugin|WP Floating Menu|wpfm-menu-nav wpfm-template-
wordpress-plugin|Side Menu Lite|wow-side-menu-
wordpress-plugin|Iks Menu|iksm-
wordpress-plugin|Off-Canvas Sidebars|ocs-slidebar ocs-trigger
wordpress-plugin|Molongui Authorship|m-a-box- molongui-
wordpress-plugin|Co-Authors Plus|wp-block-co-authors-plus-
wordpress-plugin|WP Post Author|wp-post-author-wrap awpa-
wordpress-plugin|Urvanov Syntax Highlighter|urvanov-syntax-highlighter-
wordpress-plugin|Footnotes|footnote_plugin_ footnotes_reference_container footnote_container_prepare
wordpress-plugin|Modern Footnotes|modern-footnotes-
wordpress-plugin|Easy Footnotes|easy-footnote easy-footnotes-wrapper easy-footnote-
wordpress-plugin|CM Tooltip Glossary|data-cmtooltip ?glossaryLink
wordpress-plugin|WordPress Tooltips|tooltipsall tooltipsincontent
wordpress-plugin|WP QuickLaTeX|ql-img-inline-formula ql-img-displayed-equation quicklatex-auto-format
wordpress-plugin|Ultimate FAQ|ewd-ufaq-
wordpress-plugin|Quick and Easy FAQs|qe-faqs- qae-faqs-
wordpress-plugin|Helpie FAQ|helpie-faq helpie-faq-
wordpress-plugin|Arconix FAQ|arconix-faq-
wordpress-plugin|Arconix Shortcodes|arconix-button arconix-box arconix-toggle
wordpress-plugin|Collapse-O-Matic|collapseomatic collapseomatic_
wordpress-plugin|Read More Without Refresh|rmwr-wrapper rmwr-toggle
wordpress-plugin|Tabby Responsive Tabs|responsive-tabs__ ?responsive-tabs-wrapper
wordpress-plugin|Easy Pricing Tables|ptp-pricing-table ?ptp-plan
wordpress-plugin|Responsive Pricing Table|rpt_style_ rpt_plan rpt_recommended_plan rpt_plans
wordpress-plugin|Go Pricing|gw-go-
wordpress-plugin|Symple Shortcodes|symple-
wordpress-plugin|WC Shortcodes|wc-shortcodes-
wordpress-plugin|Easy Columns|wpcol-
wordpress-plugin|WP Team|sptp-
wordpress-plugin|Team Members|?tmm_
wordpress-plugin|TLP Team|rt-team-container tlp-team
wordpress-plugin|Our Team by WooThemes|woothemes-our-team
wordpress-plugin|Simple Download Monitor|sdm_download sdm_download_
wordpress-plugin|WP Job Openings|awsm-job-
wordpress-plugin|Simple Job Board|?sjb-
wordpress-plugin|Business Directory|wpbdp- wpbdp_
wordpress-plugin|Connections Business Directory|cn-list-body
wordpress-plugin|GeoDirectory|geodir- geodir_
wordpress-plugin|Directorist|directorist- atbdp- atbd_
wordpress-plugin|HivePress|hp-listing__
wordpress-plugin|Name Directory|name_directory_
wordpress-plugin|Advanced Classifieds & Directory Pro|acadp acadp-
wordpress-plugin|WPAdverts|wpadverts-
wordpress-plugin|Classified Listing|rtcl rtcl-
wordpress-plugin|Estatik|es-listing__
wordpress-plugin|Easy Property Listings|epl-listing-post epl-property-
wordpress-plugin|Essential Real Estate|ere-property-
wordpress-plugin|WPL|wpl_prp_
wordpress-plugin|SportsPress|sp-template-league-table sp-template-event-list sportspress ?sp-data-table
wordpress-plugin|AnWP Football Leagues|anwp-fl- anwp-b-
wordpress-plugin|JoomSport|joomsport-container jsmatchdivtime
wordpress-plugin|Location Weather|splw-
wordpress-plugin|Cryptocurrency Widgets|ccpw-
wordpress-plugin|PDF Embedder|pdfemb-
wordpress-plugin|dFlip|_df_book _df_button _df_thumb
wordpress-plugin|3D FlipBook|_3d-flip-book fb3d-
wordpress-plugin|Real3D FlipBook|real3dflipbook real3dflipbook-
wordpress-plugin|FlowPaper|flowpaper_
wordpress-plugin|Embed Any Document|ead-preview ead-document
wordpress-plugin|Google Doc Embedder|gde-frame gde-text
wordpress-plugin|Print-O-Matic|printomatic printomatictext pom-small-grey
wordpress-plugin|DK PDF|dkpdf-
wordpress-plugin|PDF Poster|pdfp_wrapper wp-block-pdfp-
wordpress-plugin|Image Hotspot by DevVN|wrap_svl wrap_svl_center
wordpress-plugin|Image Source Control|isc-source isc-source-text isc_image_list_box isc_image_list
wordpress-plugin|Media Credit|?media-credit-container
wordpress-plugin|WP Image Zoom|zoooom
wordpress-plugin|Better Search|bsearch_ bsearch-form-container
wordpress-plugin|Dave's WordPress Live Search|dwls_search_results
wordpress-plugin|Tag Groups|?tag-groups-
wordpress-plugin|Feedzy RSS Feeds|feedzy-
wordpress-plugin|WP RSS Aggregator|wp-rss-aggregator wpra-item
wordpress-plugin|RSS Feed Retriever|wp_rss_retriever
wordpress-plugin|I Recommend This|irecommendthis dot-irecommendthis
wordpress-plugin|Favorites|simplefavorite-button
wordpress-plugin|LikeBtn|likebtn-wrapper
wordpress-plugin|WP Reactions|wpra-
wordpress-plugin|BeyondWords|beyondwords-
wordpress-plugin|Trinity Audio|trinityAudioPlaceholder trinity-tts-
wordpress-plugin|GSpeech|gsp_full_player gspeech_
wordpress-plugin|CMP|cmp-coming-soon-
wordpress-plugin|Chaty|chaty chaty-
wordpress-plugin|Social Chat|qlwapp qlwapp- qlwapp__
wordpress-plugin|To Top|to_top_scrollup
wordpress-plugin|Scroll Back to Top|?scroll-back-to-top-wrapper
wordpress-plugin|Dynamic To Top|dynamic-to-top
wordpress-plugin|TablePress|tablepress-
wordpress-plugin|Ninja Tables|ninja_tables_ ninja_table_
wordpress-plugin|WP Table Builder|wptb-
wordpress-plugin|League Table|daextletal-
wordpress-plugin|Data Tables Generator by Supsystic|supsystic-table supsystic-tables-
wordpress-plugin|WP Go Maps|wpgmza_ wpgmza-
wordpress-plugin|MapSVG|mapsvg mapsvg-
wordpress-plugin|WP Store Locator|wpsl-
wordpress-plugin|Store Locator Plus|slp_results_
wordpress-plugin|Agile Store Locator|asl-cont asl-storelocator
wordpress-plugin|Novo-Map|novo-map-
wordpress-plugin|Progress Map|codespacing_progress_map_
wordpress-plugin|Google Maps Easy|gmp_map_opts
wordpress-plugin|Maps Widget for Google Maps|gmw-thumbnail-map
wordpress-plugin|Print My Blog|pmb-print-this-page
wordpress-plugin|Web Stories|web-stories-list__
wordpress-plugin|Page scroll to id|__mPS2id _mPS2id-
wordpress-plugin|Fixed Widget|q2w3-
wordpress-plugin|Nelio A/B Testing|nab-done
wordpress-plugin|WP Content Copy Protection & No Right Click|wpcp-error-message msgmsg-box-wpcp warning-wpcp
wordpress-plugin|WP Slick Slider and Image Carousel|wpsisac-
wordpress-plugin|WP Logo Showcase Responsive Slider|wpls-
wordpress-plugin|WP Responsive Recent Post Slider|wppsac-
wordpress-plugin|Album and Image Gallery Plus Lightbox|aigpl-
wordpress-plugin|Ticker Ultimate|wptu-
wordpress-plugin|WP News and Scrolling Widgets|wpnw-
wordpress-plugin|Post Slider and Carousel|psac-
wordpress-plugin|Timeline and History Slider|wpostahs-
wordpress-plugin|WP Team Showcase and Slider|wp-tsas- wp-tsasp-
wordpress-plugin|Recent Facebook Posts|recent-facebook-posts
wordpress-plugin|CBX Bookmark|cbxwpbkmarktrig cbxwpbkmarkwrap
wordpress-plugin|Quotes Collection|quotescollection-
wordpress-plugin|Contact Widgets|wpcw-widgets wpcw-widget-
wordpress-plugin|Simple Membership|swpm-
wordpress-plugin|WP eMember|eMember_ wpeMember
wordpress-plugin|Paid Member Subscriptions|pms-account-navigation ?pms-form
wordpress-plugin|WP Customer Area|cuar-
wordpress-plugin|BetterDocs|betterdocs-
wordpress-plugin|Echo Knowledge Base|epkb- eckb-
wordpress-plugin|weDocs|wedocs-
wordpress-plugin|Heroic Knowledge Base|ht-kb- ?hkb-
wordpress-plugin|FluentBooking|fcal_
wordpress-plugin|FluentCommunity|fcom_
wordpress-plugin|Awesome Support|wpas-
wordpress-plugin|WPFunnels|wpfnl-
wordpress-theme|Thrive Theme Builder|thrive-theme- thrive-section ?theme-sidebar-section thrive-default-styles
wordpress-theme|Astra|ast-page-builder-template ast-article-single ast-article-post ast-builder- ast-header- astra-theme-css-css astra-theme-js-js astra-theme-css-inline-css ast-single-post-order ast-plain-container
wordpress-theme|GeneratePress|generate-columns generate-style-css generate-style-inline-css ?nav-float-right
wordpress-theme|Neve|nv-navbar nv-content-wrap hfg_header nv-nav-wrap nv-blog- nv-sidebar- neve-style-css
wordpress-theme|Blocksy|ct-drawer-canvas ct-main-styles-css
wordpress-theme|Hello Elementor|hello-elementor-theme-style-css hello-elementor-default
wordpress-theme|Flatsome|nav-dropdown-has-arrow ux-menu-link box-blog-post
wordpress-theme|Avada|avada- fusion-body
cms|BeTheme|mfn- mfn-main-slider mfn-header mfn-builder-content mcb-section
wordpress-theme|Enfold|av-main-nav avia-menu-text av-special-heading avia-google-webfont
wordpress-theme|The7|the7- dt-main-css
wordpress-theme|Bridge|qode-theme-ver-
wordpress-theme|Stockholm|select-theme-ver- select-child-theme-ver-
wordpress-theme|JNews|jnews_
wordpress-theme|Jannah|tie-container tie-wrapper-full
wordpress-theme|Porto|porto-sicon-box porto-ibanner porto-u-heading porto-products
wordpress-theme|WoodMart|whb- elementor-widget-wd_
wordpress-theme|XStore|et_b-icon et_b_header- etheme-elementor- elementor-widget-etheme_ etheme_
wordpress-theme|Uncode|uncode- uncol uncont uncell
wordpress-theme|Total|?vcex- wpex-dropdown-menu
wordpress-theme|Storefront|storefront-style-css storefront-align-wide storefront-secondary-navigation
wordpress-theme|Hestia|hestia-
wordpress-theme|Sydney|sydney-style-css
wordpress-theme|ColorMag|colormag-
wordpress-theme|Zakra|?zak-
wordpress-theme|OnePress|onepress-
wordpress-theme|Mesmerize|mesmerize-
wordpress-theme|Botiga|botiga-style-css
wordpress-theme|Genesis Framework|genesis-title-hidden genesis-footer-widgets-hidden genesis-singular-image-hidden
wordpress-theme|Foodie Pro|foodie-pro foodie-pro-theme-css
wordpress-theme|Brunch Pro|brunch-pro brunch-pro-theme-css
wordpress-theme|Cook'd Pro|cookd-pro-theme-css cookd
wordpress-theme|Jupiter X|jupiterx-
wordpress-theme|Phlox|aux-site-footer aux-widget-area aux-media-frame
wordpress-theme|Bimber|bimber- g1-body-inner g1-hb-row ?g1-row g1-nav-single
wordpress-theme|Zeen|zeen- tipi-row tipi-col tipi-vertical-c tipi-m-0
wordpress-theme|Foxiz|foxiz-
wordpress-theme|Pixwell|pixwell-
wordpress-theme|CoverNews|covernews-
wordpress-theme|Newsphere|newsphere-
wordpress-theme|ChromeNews|chromenews-
wordpress-theme|MoreNews|morenews-
wordpress-theme|Houzez|houzez-
wordpress-theme|ListingPro|listingpro-
wordpress-theme|MyListing|?c27-
wordpress-theme|REHub|rehub-
wordpress-theme|Impreza|Impreza_
wordpress-theme|Zephyr|Zephyr_
wordpress-theme|Oshine|oshine-
wordpress-theme|Kallyas|kallyas-
wordpress-theme|Kalium|kalium-
wordpress-theme|KLEO|kleo-
wordpress-theme|Fox|fox56-
wordpress-theme|TheGem|thegem-
wordpress-theme|Inspiro|inspiro-
wordpress-theme|Cocoon|wp-block-cocoon-blocks- cocoon-style-css
wordpress-theme|SWELL|swell-block- swl-
wordpress-theme|SANGO|wp-block-sgb- ?sng-
wordpress-theme|AFFINGER|st-af-cpt-css
wordpress-theme|Lightning|lightning-common-style-css lightning-design-style-css lightning-theme-style-css
wordpress-theme|Twenty Twenty-One|twenty-twenty-one-style-css twenty-twenty-one-primary-navigation-script-js
wordpress-theme|Twenty Twenty|twentytwenty-style-css
wordpress-theme|Twenty Nineteen|twentynineteen-style-css
wordpress-theme|Twenty Seventeen|twentyseventeen-style-css
wordpress-theme|Twenty Sixteen|twentysixteen-style-css
wordpress-theme|Twenty Fifteen|twentyfifteen-style-css
wordpress-theme|Twenty Fourteen|twentyfourteen-style-css twentyfourteen-lato-css
wordpress-theme|Twenty Thirteen|twentythirteen-style-css twentythirteen-fonts-css
wordpress-theme|Twenty Twelve|twentytwelve-style-css twentytwelve-fonts-css
wordpress-theme|Twenty Eleven|twentyeleven-style-css
wordpress-theme|Understrap|understrap-styles-css understrap-scripts-js
wordpress-theme|Shoptimizer|shoptimizer-
wordpress-theme|Electro|electro-style-css
wordpress-theme|Martfury|martfury-
wordpress-theme|Minimog|minimog-
wordpress-theme|Woostify|woostify-
wordpress-theme|Page Builder Framework|wpbf-
wordpress-theme|Customify|?customify-
wordpress-theme|Ashe|ashe-style-css
wordpress-theme|Savona|savona-style-css
wordpress-theme|Cenote|cenote-
wordpress-theme|Make|ttfmake-
wordpress-theme|Weaver Xtreme|wvrx-
wordpress-theme|Jupiter|mk-page-section mk-main-navigation mk-header-holder
cms|TYPO3|csc-textpic csc-default csc-header csc-textpicHeader ce-textpic ce-bodytext ce-gallery frame-space-before-none frame-layout-0 frame-type-textmedia frame-type-text
cms|Contao|ce_text mod_article mod_navigation mod_newslist ce_image mod_breadcrumb
cms|XenForo|p-body-inner p-navgroup-link p-nav-inner xenOverlay XenForo
cms|WoltLab Suite|wcfMainMenu tplIndex wcfNode- ?wcf
cms|Blogger|blogger-clickTrap blog-pager-newer-link widget-content-blogger ?item-control quickedit
cms|Webflow|w-nav-menu w-inline-block w-layout-grid w-richtext w-dyn-list w-dyn-item ?w-dropdown
cms|Sitefinity|sf_colsIn sfPublicWrapper sfContentBlock sf_cols sfimageWrp
cms|Plone|portaltype-document portaltype-collection portaltype-folder plone-toolbar-
cms|Umbraco|umb-grid umb-block-list umb-grid-
cms|Kentico|ktc-editable-area ktc-widget-
cms|Neos|neos-contentcollection neos-nodetypes-
cms|Drupal|view-display-id-page field--name-body block-system views-exposed-form path-frontpage page-node-type-
cms|Joomla|com_content moduletable ?blog-featured
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
drupal-module|Field Group|field-group-format field-group-htabs ?field-group-tab field-group-
drupal-module|Simplenews|simplenews-subscribe simplenews-subscriber-form block-simplenews
drupal-module|Fivestar|fivestar-widget fivestar-static-item fivestar-default
drupal-module|Nice Menus|nice-menu-down nice-menu-main-menu ?nice-menu
drupal-module|Layout Builder|layout-builder__layout layout-builder-
drupal-module|Chaos Tools|ctools-dropdown ctools-use-modal ctools-collapsible-container ctools-auto-submit-full-form
drupal-module|Facet API|facetapi-link facetapi-facetapi-links facetapi-
drupal-module|Flag|flag-link-toggle ?flag-wrapper flag-action
drupal-module|Webform|webform-submission-form webform-client-form webform-component- webform-button--submit
drupal-module|Social Media Links|social-media-links--platforms social-media-link-icon-
drupal-module|Search API|search-api-page-search-form ?search-api-
typo3-extension|TYPO3 News|news-text-wrap news-img-wrap articletype-0 news-clear ?news-list-view
typo3-extension|Powermail|powermail_conditions_container powermail_form powermail_fieldset powermail_fieldwrap tx-powermail
typo3-extension|Faceted Search|tx-kesearch-pi1 kesearch_searchbox ke_search_sword
typo3-extension|Apache Solr for TYPO3|tx-solr tx-solr-search-form tx-solr-
typo3-extension|tt_news|tx-ttnews-browsebox ?news-latest-container
joomla-extension|K2|k2ItemsBlock itemListView k2Container k2TagCloudBlock
joomla-extension|SP Page Builder|sppb-addon sppb-section sp-page-builder sppb-row sppb-
joomla-extension|T3 Framework|t3-wrapper t3-mainbody t3-megamenu ?t3-header
joomla-extension|Helix|sp-megamenu-parent offcanvas-menu-helix ?sp-module sp-column
joomla-extension|AcyMailing|acymailing_form acymailing_module acymailing_
joomla-extension|Phoca Gallery|phocagallery phocagallery-box-file pg-csv-box
joomla-extension|Kunena|kunena kfrontend klatest kblock
joomla-extension|JComments|jcomments-links
joomla-extension|RSForm! Pro|rsform-block rsform-button rsform-submit-button rsform-
joomla-extension|ChronoForms|chronoform ChronoForm chronoforms
joomla-extension|BreezingForms|bfQuickMode bfClearfix
joomla-extension|VirtueMart|vm-product-descr-container-1 vm-product-media-container ?vm-product-
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
web-framework|Vue.js|data-v-app data-server-rendered data-v-inspector
web-framework|AngularJS|ng-scope ng-binding ng-isolate-scope ?ng-pristine ?data-ng- ng-hide
web-framework|Stimulus|?data-controller data-stimulus-
web-framework|Hotwire Turbo|data-turbo-track data-turbo-permanent data-turbo-temporary data-turbo data-turbo-frame data-turbo-method data-turbo-confirm data-turbo-action data-turbo-prefetch data-turbo-preload data-turbo-stream
javascript-library|Knockout|?data-bind
javascript-library|Element UI|el-carousel__item el-button--primary el-button--text el-button--default el-button--small el-input__inner el-input__wrapper el-form-item__ el-dialog__ el-select-dropdown el-popper el-table__ el-tooltip__popper el-submenu__title el-sub-menu__title el-scrollbar__wrap el-scrollbar__view el-dropdown-menu el-message-box el-message-box__wrapper el-icon-loading el-radio__inner el-checkbox__inner ?el-button el-menu-item
javascript-library|Vuetify|v-application v-application--wrap v-btn__content v-main__wrap v-toolbar__content v-btn-- v-btn__ v-text-field__ v-text-field-- v-navigation-drawer__ v-navigation-drawer-- v-list-item__ v-list-item-- v-theme-- v-toolbar__ v-input__ v-layout-item v-overlay-container v-overlay__ v-responsive__ v-application-- v-expansion-panel-header v-expansion-panel-content v-app-bar-- vuetify-theme-stylesheet ?v-card__ v-card-- v-image__ v-icon-- v-footer--
javascript-library|Quasar|q-layout q-page-container q-btn__content q-drawer-container q-btn-item q-btn__ q-field__ q-img__ q-layout__ q-layout__section--marginal q-loading-bar q-focus-helper q-toolbar__ q-drawer__ q-carousel__ q-page-sticky q-scrollarea__ ?q-card__ q-item__
javascript-library|Material Components Web|mdc-button mdc-top-app-bar mdc-text-field mdc-ripple-
javascript-library|Angular Material|mat-button mat-typography mat-toolbar mat-form-field- mat-app-background mat-mdc- mat-raised-button mat-flat-button mat-stroked-button mat-icon-button mat-button-wrapper mat-sidenav-container mat-sidenav-content mat-drawer-container mat-drawer-content mat-toolbar-row mat-ripple mat-icon mat-checkbox-inner-container mat-tab-group mat-tab-label mat-expansion-panel mat-expansion-indicator mat-dialog-container mat-list-item-content mat-progress-bar mat-spinner
javascript-library|PrimeVue|data-pc-name data-pc-section
javascript-library|PrimeIcons|?pi-search pi-chevron-down pi-bars pi-times pi-user
javascript-library|Kendo UI|k-widget k-grid-header k-dropdown-wrap
javascript-library|Dojo|dijitReset dijitInline dojoxGrid
javascript-library|YUI|yui3-skin-sam yui3-js-enabled yui3-widget yui-skin-sam yui3- yui-gb yui-t7
javascript-library|jQuery UI|hasDatepicker ui-autocomplete-input ui-slider-handle ui-datepicker-trigger ?ui-widget ui-widget-content ui-datepicker ui-autocomplete ui-state-default
javascript-library|jQuery Mobile|ui-mobile ui-mobile-viewport ui-page-theme-a ui-loader-default ui-mobile-viewport-transitioning
javascript-library|Sidr|sidr-inner ?sidr sidr-left
javascript-library|Hamburgers|hamburger--spin hamburger--squeeze hamburger--collapse hamburger--elastic hamburger--slider hamburger-inner
javascript-library|WOW.js|data-wow-delay data-wow-duration data-wow-offset ?wow
javascript-library|Animate.css|animate__animated ?fadeInUp fadeInLeft fadeInDown bounceIn animated
javascript-library|Jarallax|jarallax jarallax-img
javascript-library|Lozad.js|?lozad
javascript-library|lazysizes|ls-is-cached data-bgset data-parent-fit ?lazyload lazyloaded
javascript-library|responsively-lazy|responsively-lazy
javascript-library|Plyr|plyr plyr__controls plyr__video-embed
javascript-library|Swiper|swiper-container swiper-wrapper swiper-pagination swiper-slide swiper-button-next swiper-initialized swiper-backface-hidden swiper-horizontal swiper-vertical swiper-slide-active swiper-notification swiper-pointer-events
javascript-library|bxSlider|bx-wrapper bx-viewport ?bxslider
javascript-library|Camera|camera_wrap camera_caption
javascript-library|Fotorama|fotorama fotorama__stage
javascript-library|Galleria|galleria-container galleria-stage
javascript-library|lightSlider|lSSlideOuter lSSlideWrapper lslide
javascript-library|Swipebox|?swipebox
javascript-library|RequireJS|data-requirecontext data-requiremodule
javascript-library|React Helmet|data-react-helmet
javascript-library|react-rails|data-react-class
javascript-library|Lightbox2|lightboxOverlay ?data-lightbox
javascript-library|Tooltipster|?tooltipster
javascript-library|Tom Select|ts-control ?ts-wrapper
javascript-library|jQuery Nice Select|nice-select
javascript-library|Parsley|data-parsley-validate data-parsley-required data-parsley- parsley-errors-list
javascript-library|Isotope|isotope-item ?isotope
javascript-library|Masonry|data-masonry masonry-brick ?masonry
javascript-library|Google Code Prettify|prettyprint prettyprinted
javascript-library|MathJax|MathJax MathJax_Preview MathJax_SVG_Display
javascript-library|KaTeX|katex katex-html katex-display
javascript-library|Bootstrap|data-bs-toggle ?navbar-toggler navbar-toggle navbar-collapse carousel-indicators col-md-6 col-md-4 col-sm-6 col-xs-12 col-lg-4 navbar-nav dropdown-toggle data-toggle col-md-12 col-md-3 col-md-8
javascript-library|Foundation|data-equalizer data-interchange data-off-canvas ?title-area data-magellan-expedition small-12 medium-6 large-4 top-bar-section
javascript-library|Bulma|is-half-desktop is-one-third-desktop navbar-burger is-flex-touch
javascript-library|UIkit|uk-container uk-grid uk-navbar-container uk-width-medium-1-2 uk-offcanvas data-uk-grid uk-navbar-nav
javascript-library|Tachyons|pa3-ns w-50-ns f3-ns mw8-ns
fonts|Glyphicons|?glyphicon glyphicon-search glyphicon-
fonts|Themify Icons|?ti-search ti-facebook ti-menu ti-angle-down ti-close
fonts|Simple Line Icons|?icon-social-facebook icon-social-twitter icon-magnifier
fonts|Elegant Icons|arrow_carrot-down icon_menu-square_alt ?social_facebook social_twitter
fonts|Flaticon|flaticon-
fonts|Fontello|icon-fontello
fonts|Typicons|typcn typcn-
fonts|Foundation Icons|fi-social-facebook fi-social-twitter fi-magnifying-glass
fonts|Flag Icons|flag-icon- ?flag-icon
fonts|ET Line|?et-line
fonts|Entypo|?entypo
fonts|Font Awesome Animation|faa-pulse faa-ring faa-
communication|Spot.IM|spot-im-frame-inpage data-spotim-module data-spot-id spot-im-
communication|Coral|coral-comments coral_talk_stream coral-count
communication|Viafoura|vf-comments vf-tray-trigger
communication|Livefyre|livefyre-comments livefyre-commentcount data-lf-article-id
communication|Hyvor Talk|hyvor-talk-view hyvor-talk-
reviews|Trusted Shops|ts-trustbadge ?ts-rating
reviews|ProvenExpert|ProvenExpert_widgetbar_container
reviews|eKomi|eKomiWidget eKomiWidget_default
reviews|Yotpo|yotpo-main-widget yotpo
search|Google Programmable Search|gsc-control gcse-search gcse-searchbox-only gcse-searchresults-only gsc-input
advertising|Criteo|cto_bundle ?crt-widget
advertising|Nativo|ntvBoap ?ntv-box ntv-ad
advertising|TripleLift|tl_auto_ad
advertising|Concert|concert-ad m-ad__concert
advertising|Polar|plr-native plr-sponsored
advertising|VigLink|vglnk
advertising|Skimlinks|?skimlinks-unlinked skimlinks-
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
email-marketing|CleverReach|cr_form cr_ipe_item ?cr_button
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
communication|Plenigo|plenigo-
communication|Laterpay|laterpay- lp_purchase-overlay
subscription-billing|Steady|steady_paywall steady-checkout-active
consent-management|Sourcepoint|sp_message_container_ sp_veil sp_choice_type_
wordpress-plugin|WP Asset Manager|wp-asset-manager
wordpress-plugin|Thrive Headline Optimizer|tho-end-content
consent-management|Klaro|klaro cookie-modal-klaro
consent-management|consentmanager|cmpbox cmpboxbtns cmplazyload cmp-menutxt
consent-management|Cookie Script|cookiescript_injected cookiescript_badge
javascript-library|React on Rails|js-react-on-rails-component js-react-on-rails-context js-react-on-rails-store
javascript-library|Hypernova|data-hypernova-key data-hypernova-id
web-framework|Next.js|data-nimg data-next-head data-n-g data-n-p data-n-css data-next-font data-next-page data-next-hide-fouc __next-build-watcher __next_error__ __className_ __variable_
web-framework|Nuxt|data-hid nuxt-link-active nuxt-link-exact-active nuxt-progress nuxt-loading-indicator nuxt-error-page nuxt-icon data-n-head-ssr ?__layout
web-framework|Gatsby|gatsby-image-outer-wrapper gatsby-resp-image-wrapper gatsby-resp-image-image gatsby-resp-image-background-image gatsby-announcer gatsby-script-loader gatsby-highlight gatsby-chunk-mapping gatsby-code-button
web-framework|Astro|data-astro- astro-code
documentation|Starlight|starlight-aside starlight-aside__title starlight__sidebar starlight-menu-button
web-framework|SvelteKit|svelte-announcer
javascript-library|Sapper|sapper-noscroll ?sapper
javascript-library|Angular CDK|cdk-overlay-container cdk-overlay-pane cdk-visually-hidden cdk-virtual-scroll- cdk-global-scrollblock cdk-live-announcer- cdk-describedby-message cdk-describedby-message-container cdk-focused cdk-drop-list cdk-drag-handle cdk-text-field-autofill-monitored cdk-high-contrast-active
javascript-library|AngularJS Material|md-default-theme md-ink-ripple
javascript-library|PrimeNG|p-element
javascript-library|ng-select|ng-select-container ng-select-single ng-select-multiple ng-select-searchable ng-select-focused ng-option-label ng-dropdown-panel-items
javascript-library|Clarity Design System|clr-form-control clr-input-wrapper clr-control-container clr-wizard clr-radio-wrapper clr-checkbox-wrapper
javascript-library|Nebular|nb-theme-
web-framework|Ionic Framework|ion-page ion-padding ion-text-center ion-text-wrap ion-no-padding ion-color-primary ion-color-secondary ion-color-light plt-desktop plt-mobileweb plt-mobile
javascript-library|vue-meta|data-vue-meta data-vmid data-vue-meta-server-rendered
javascript-library|Vue Router|?router-link-active ?router-link-exact-active
web-framework|BootstrapVue|__BVID__
javascript-library|Vue Select|vs__dropdown-toggle vs__selected-options vs__search vs__actions vs__open-indicator vs__dropdown-menu
javascript-library|Vue Multiselect|multiselect__tags multiselect__content-wrapper multiselect__single multiselect__placeholder multiselect__element multiselect__spinner
javascript-library|Vue Carousel|VueCarousel VueCarousel-wrapper VueCarousel-inner VueCarousel-slide VueCarousel-pagination
javascript-library|vue-js-modal|v--modal-overlay v--modal-box v--modal-background-click vm--overlay vm--container vm--modal
javascript-library|Floating Vue|v-popper v-popper--theme- v-popper__popper v-popper__inner
javascript-library|Vue Toastification|Vue-Toastification__
javascript-library|vue-notification|vue-notification-group vue-notification-wrapper vue-notification-template
javascript-library|Vue Formulate|formulate-input formulate-input-element formulate-input-wrapper formulate-form
javascript-library|FormKit|formkit-outer formkit-inner
javascript-library|vue-slider-component|vue-slider-rail vue-slider-process vue-slider-dot
javascript-library|vue-tel-input|vue-tel-input vti__dropdown vti__input vti__flag
javascript-library|vue-treeselect|vue-treeselect vue-treeselect__
javascript-library|Vue Datepicker|dp__main dp__input_wrap dp__theme_light dp__theme_dark dp__menu_inner
javascript-library|V-Calendar|vc-pane-container vc-pane-layout vc-weeks vc-weekday
javascript-library|vue2-datepicker|mx-datepicker mx-input-wrapper mx-datepicker-main mx-datepicker-popup
javascript-library|vuejs-datepicker|vdp-datepicker vdp-datepicker__
javascript-library|vue-infinite-loading|infinite-status-prompt ?infinite-loading-container
javascript-library|vue-agile|agile__slides agile__track agile__slide agile__actions agile__nav-button
javascript-library|Vueper Slides|vueperslides vueperslide vueperslides__
javascript-library|Hooper|hooper-list hooper-track hooper-slide ?hooper
javascript-library|vue-virtual-scroller|vue-recycle-scroller vue-recycle-scroller__
javascript-library|vue-good-table|vgt-wrap vgt-table vgt-responsive vgt-inner-wrap
javascript-library|vue-social-sharing|share-network-facebook share-network-twitter share-network-whatsapp
javascript-library|vue-easy-lightbox|vel-modal vel-img-wrapper vel-btns-wrapper vel-img-swiper
javascript-library|vue-loading-overlay|vld-overlay vld-container vld-parent vld-background
web-framework|Vant|van-button__ van-button-- van-cell van-cell-group van-tabbar van-tabbar-item van-nav-bar van-nav-bar__ van-swipe van-swipe-item van-swipe__ van-popup van-hairline-- van-image__ van-icon__ ?van-button
javascript-library|Naive UI|n-config-provider n-base- n-button__ n-layout-scroll-container n-card__content n-menu-item-content
web-framework|View UI|ivu-
javascript-library|Arco Design|arco-btn arco-btn-primary arco-layout arco-menu-item arco-icon arco-input-wrapper arco-layout-header
javascript-library|TDesign|t-button__text t-layout__header t-layout__content t-menu__content t-input__wrap t-is-active
javascript-library|Mint UI|mint-tab-item mint-tab-item-label mint-swipe mint-swipe-items-wrap mint-cell-wrapper mint-tabbar ?mint-header-title
javascript-library|Muse UI|mu-appbar mu-paper mu-raised-button mu-item-wrapper
documentation|VuePress|theme-default-content ?theme-container
documentation|VitePress|VPNav VPNavBar VPLocalNav VPContent VPHero VPSidebar VPDoc VPFooter VPHomeHero vp-doc
documentation|Docusaurus|theme-doc- __docusaurus_ docusaurus-highlight-code-line docusaurus-mt-lg
web-framework|Gridsome|g-image--lazy g-image--loaded ?g-image
javascript-library|Fumadocs|nd-docs-layout nd-subnav nd-sidebar-mobile ?nd-page nd-toc nd-sidebar
javascript-library|Vike|vike_pageContext vite-plugin-ssr_pageContext
web-framework|Qwik|qwikloader
web-framework|Ember.js|fastboot-body-start fastboot-body-end ember-basic-dropdown-wormhole ember-bootstrap-wormhole
web-framework|Aurelia|au-target
javascript-library|htmx|?htmx-indicator htmx-request
web-framework|Meteor|__meteor-css__
javascript-library|Loadable Components|__LOADABLE_REQUIRED_CHUNKS__ ?data-chunk
javascript-library|React Helmet Async|data-rh
javascript-library|ice.js|?ice-container
javascript-library|Modern.js|__MODERN_SSR_DATA__ __MODERN_ROUTER_DATA__
javascript-library|Frontity|__FRONTITY_CONNECT_STATE__
cms|Scully|scully-transfer-state
javascript-library|Redux|redux-state __REDUX_STATE__ redux-initial-state
javascript-library|Fela|data-fela-
javascript-library|Emotion|data-emotion data-emotion-css
javascript-library|JSS|data-jss jss-server-side
javascript-library|Stitches|?stitches
javascript-library|Styletron|_styletron_hydrate_
javascript-library|goober|_goober
javascript-library|Glamor|data-glamor
javascript-library|Radium|data-radium
javascript-library|Griffel|data-make-styles-bucket data-make-styles-rehydration
web-framework|Fluent UI|fui-FluentProvider fui-Button fui-Link fui-Text fui-Card ms-Button ms-Layer ms-TextField ms-Stack ms-CommandBar ms-SearchBox
javascript-library|React Native for Web|react-native-stylesheet css-view- css-text- css-textinput- css-1dbjc4n css-901oao
javascript-library|Twind|__twind data-twind
web-framework|Flowbite|data-collapse-toggle data-dial-toggle data-drawer-hide ?data-modal-toggle data-modal-target data-dropdown-toggle data-tabs-toggle data-tooltip-target data-popover-target data-drawer-toggle data-drawer-target
javascript-library|Preline UI|data-hs-overlay data-hs-collapse data-hs-tab data-hs-accordion-always-open data-hs-theme-click-value data-hs-dropdown data-hs-carousel hs-collapse-toggle hs-accordion-toggle hs-dropdown-toggle
javascript-library|Grommet|StyledGrommet-
javascript-library|Blueprint|bp3-button bp4-button bp5-button bp6-button bp3-icon bp4-icon bp5-icon bp3-input-group bp4-input-group bp5-input-group bp3-navbar bp4-navbar bp5-navbar bp3-portal bp4-portal bp5-portal bp3-popover-wrapper
javascript-library|Base Web|data-baseweb
web-framework|Mantine|m_77c9d27d m_811560b9
javascript-library|HeroUI|nextui-c- nextui-navbar
javascript-library|Sonner|data-sonner-toaster data-sonner-toast
javascript-library|Vaul|data-vaul-drawer data-vaul-overlay data-vaul-drawer-direction
javascript-library|React Hot Toast|data-rht-toaster
javascript-library|React Aria|react-aria- data-rac
javascript-library|Reach UI|data-reach- reach-skip-nav
javascript-library|Base UI|data-base-ui-
javascript-library|React Bootstrap|data-rr-ui-
javascript-library|React Suite|rs-btn-primary rs-btn-ghost rs-picker-toggle rs-theme-light rs-theme-dark rs-navbar-nav
web-framework|Ant Design|ant-menu-item ant-menu-root ant-carousel ant-modal-root ant-dropdown-trigger ant-select-selector ant-form-item ant-tabs-nav ant-card-body ant-drawer-content ant-space-item ant-typography ant-layout-content ant-layout-header ant-input-affix-wrapper ant-col-xs-24 ant-col-md-12 ?anticon
javascript-library|Ant Design Mobile|adm-tab-bar adm-swiper-item adm-list-item-content adm-center-popup adm-button-primary
javascript-library|Semi Design|semi-button semi-navigation-item semi-icons semi-input-wrapper semi-typography
web-framework|Salesforce Lightning Design System|slds-
web-framework|Carbon Design System|bx-- cds--
javascript-library|Shopify Polaris|Polaris-
javascript-library|Spectrum CSS|spectrum-Button spectrum-Heading spectrum-Textfield spectrum-Icon spectrum-ActionButton
web-framework|Material UI|MuiSvgIcon-root Mui-focused Mui-disabled Mui-selected Mui-expanded MuiButtonBase-root MuiPaper-root MuiTouchRipple-root MuiLink-root MuiIconButton-root MuiStack-root MuiAppBar-root MuiToolbar-root MuiChip-root MuiAvatar-root MuiCard-root MuiCardMedia-root MuiCardContent-root MuiTab-root MuiInputBase-root MuiFormControl-root MuiOutlinedInput-root MuiDivider-root MuiList-root MuiListItem-root MuiDrawer-root MuiModal-root MuiBackdrop-root MuiAccordion-root MuiSkeleton-root MuiCircularProgress-root MuiBreadcrumbs-root MuiRating-root MuiPagination-root MuiAutocomplete-root makeStyles-
javascript-library|MUI X|MuiDataGrid-root MuiPickersDay-root MuiDateCalendar-root MuiPickersLayout-root
javascript-library|Joy UI|JoyButton-root JoyBox-root JoyTypography-root JoySheet-root JoyStack-root
javascript-library|rc-slider|rc-slider rc-slider-rail rc-slider-track rc-slider-handle rc-slider-step
javascript-library|rc-tooltip|rc-tooltip rc-tooltip-inner rc-tooltip-content
javascript-library|rc-menu|rc-menu rc-menu-item rc-menu-submenu
javascript-library|rc-collapse|rc-collapse rc-collapse-item rc-collapse-header
javascript-library|rc-pagination|rc-pagination rc-pagination-item
javascript-library|rc-select|rc-select rc-select-selector rc-select-selection
javascript-library|rc-tabs|rc-tabs-nav rc-tabs-tab rc-tabs-content-holder
javascript-library|rc-dialog|rc-dialog-mask rc-dialog-wrap rc-dialog-content
javascript-library|rc-checkbox|rc-checkbox-inner rc-checkbox-input
javascript-library|rc-time-picker|rc-time-picker rc-time-picker-input rc-time-picker-panel
javascript-library|rc-tree|rc-tree-treenode rc-tree-list
javascript-library|rc-table|rc-table-content rc-table-thead rc-table-tbody
javascript-library|react-select|react-select__ react-select-container react-select- Select-arrow-zone Select-menu-outer Select-multi-value-wrapper
javascript-library|React Datepicker|react-datepicker- react-datepicker__
javascript-library|react-dates|DateInput_ DayPicker_ CalendarDay_ CalendarDay__ CalendarMonth_ DateRangePickerInput_ SingleDatePickerInput_ DateRangePickerInput SingleDatePickerInput DayPickerNavigation_
javascript-library|React DayPicker|DayPicker-Day DayPicker-wrapper DayPicker-Month DayPickerInput DayPickerInput-Overlay rdp-day rdp-months rdp-month_grid rdp-caption_label rdp-nav_button rdp-head_cell
javascript-library|react-calendar|react-calendar react-calendar__
javascript-library|react-date-picker|react-date-picker react-date-picker__
javascript-library|react-time-picker|react-time-picker react-time-picker__
javascript-library|react-date-range|rdrCalendarWrapper rdrDateRangePickerWrapper rdrDay rdrMonthAndYearWrapper rdrDateDisplayWrapper
javascript-library|react-datetime|rdtPicker rdtStatic rdtDay rdtOpen
javascript-library|React-Toastify|Toastify Toastify__
javascript-library|React Modal|ReactModal__ ReactModalPortal
javascript-library|react-tabs|react-tabs react-tabs__
javascript-library|react-tooltip|__react_component_tooltip react-tooltip react-tooltip__
javascript-library|react-autosuggest|react-autosuggest__ react-autowhatever-
javascript-library|Downshift|downshift-
javascript-library|React Bootstrap Typeahead|rbt-input rbt-input-main rbt-input-hint rbt-token rbt-menu rbt-aux
javascript-library|react-lazy-load-image-component|lazy-load-image-background lazy-load-image-loaded
javascript-library|react-lazyload|?lazyload-wrapper lazyload-placeholder
javascript-library|react-loading-skeleton|react-loading-skeleton
javascript-library|react-responsive-carousel|?carousel-root control-dots control-arrow carousel-slider carousel-status thumbs-wrapper axis-horizontal
javascript-library|react-multi-carousel|react-multi-carousel- react-multiple-carousel__
javascript-library|react-image-gallery|image-gallery-slide-wrapper image-gallery-thumbnails-wrapper ?image-gallery-slides
javascript-library|pure-react-carousel|carousel__slider-tray carousel__slider-tray-wrapper carousel__inner-slide carousel__slider--horizontal
javascript-library|Nuka Carousel|slider-control-centerleft slider-control-centerright slider-control-bottomcenter
javascript-library|react-alice-carousel|alice-carousel alice-carousel__
javascript-library|react-elastic-carousel|rec-carousel-item rec-slider-container rec-item-wrapper rec-arrow-right
javascript-library|React Player|react-player__
javascript-library|react-lite-youtube-embed|yt-lite
javascript-library|Lite YouTube Embed|lty-playbtn
javascript-library|react-burger-menu|bm-menu-wrap bm-burger-button bm-burger-bars bm-cross-button bm-item-list
javascript-library|react-headroom|headroom--unfixed headroom--scrolled ?headroom-wrapper
javascript-library|react-stickynode|?sticky-outer-wrapper sticky-inner-wrapper
javascript-library|React Virtualized|ReactVirtualized__
javascript-library|React Virtuoso|data-virtuoso-scroller
javascript-library|react-infinite-scroll-component|infinite-scroll-component infinite-scroll-component__
javascript-library|react-share|react-share__
javascript-library|react-phone-input-2|react-tel-input
javascript-library|react-phone-number-input|PhoneInputInput PhoneInputCountry PhoneInputCountryIcon PhoneInputCountrySelect
javascript-library|react-beautiful-dnd|data-rbd-
javascript-library|dnd kit|DndDescribedBy- DndLiveRegion-
javascript-library|react-grid-layout|react-grid-item react-grid-layout react-grid-placeholder
javascript-library|react-resizable|react-resizable react-resizable-handle
javascript-library|react-draggable|react-draggable react-draggable-dragged
javascript-library|react-split-pane|SplitPane
javascript-library|react-resizable-panels|data-panel-resize-handle-id data-panel-group-direction data-panel-group-id
javascript-library|React Joyride|react-joyride__ __floater react-joyride
javascript-library|React Focus Lock|data-focus-guard data-focus-lock-disabled
javascript-library|react-collapsible|Collapsible__trigger Collapsible__contentOuter Collapsible__contentInner
javascript-library|react-animate-height|rah-static rah-static--height-zero rah-static--height-auto rah-animating
javascript-library|react-input-range|input-range__label-container ?input-range__track input-range__slider
javascript-library|react-simple-star-rating|react-simple-star-rating
javascript-library|react-circular-progressbar|CircularProgressbar CircularProgressbar-path CircularProgressbar-trail
javascript-library|Recharts|recharts-
javascript-library|Victory Charts|VictoryContainer
javascript-library|Airbnb visx|visx-
javascript-library|react-vis|rv-xy-plot rv-xy-plot__
javascript-library|react-facebook-login|kep-login-facebook
javascript-library|Slate.js|data-slate-editor ?data-slate-node data-slate-leaf data-slate-string
javascript-library|Lexical|data-lexical-editor ?data-lexical-text data-lexical-decorator
javascript-library|ProseMirror|ProseMirror ?ProseMirror-
javascript-library|Tiptap|tiptap
javascript-library|BlockNote|bn-editor bn-block-outer
javascript-library|React-PDF|react-pdf__
javascript-library|React Table|ReactTable
javascript-library|SVGInjector|?injected-svg
fonts|Phosphor Icons|ph-duotone ?ph-bold ph-light ph-fill ph-thin
javascript-library|Motion|data-projection-id
javascript-library|single-spa|single-spa-
javascript-library|qiankun|__qiankun_microapp_wrapper_for_ data-qiankun
cms|Storyblok|data-blok-c data-blok-uid
cms|Prismic|data-slice-type data-slice-variation
cdn|Cloudinary|cld-responsive cld-video-player
cdn|TwicPics|data-twic-src data-twic-background
cms|Builder.io|data-builder-content-id builder-pixel- ?builder-block builder-content builder-text
cms|Sitecore|__JSS_STATE__
javascript-library|Flags SDK|data-flag-values data-flag-definitions
monitoring|Dynatrace|data-dtconfig
experimentation|Adobe Target|mboxDefault at-element-marker at-element-click-tracking
javascript-library|jQuery Bar Rating|br-theme- ?br-widget br-selected
javascript-library|RateIt|rateit rateit-range rateit-hover data-rateit-
javascript-library|RateYo|jq-ry-
javascript-library|Tippy.js|tippy-popper tippy-tooltip data-tippy data-tippy-
javascript-library|Select2|select2-offscreen select2-container-- select2-choice select2-dropdown
javascript-library|Stickybits|js-stickybit js-stickybit-parent ?js-is-sticky js-is-stuck
javascript-library|Owl Carousel|owl-stage owl-stage-outer owl-theme owl-nav owl-dots owl-dot owl-loaded owl-wrapper-outer owl-controls owl-pagination
javascript-library|Slick|slick-initialized slick-arrow data-slick slick-list
javascript-library|lightGallery|data-lg-size
javascript-library|jCarousel|jcarousel-
javascript-library|Nivo Slider|nivo-controlNav nivo-main-image nivo-directionNav nivo-imageLink
javascript-library|Chosen|?chosen-select
javascript-library|Selectize|selectized
javascript-library|malihu Custom Scrollbar|mCSB_
javascript-library|jScrollPane|jspVerticalBar jspDrag jspCap
javascript-library|nanoScroller|nano-pane ?nano-content
javascript-library|SimpleBar|simplebar-track simplebar-mask simplebar-offset simplebar-content-wrapper
javascript-library|jquery-match-height|?data-mh data-match-height
javascript-library|Vanilla LazyLoad|data-ll-status
javascript-library|PhotoSwipe|data-pswp-
javascript-library|Lightcase|lightcase-
javascript-library|Fluidbox|fluidbox__
javascript-library|prettyPhoto|pp_default pp_social pp_details pp_hoverContainer
javascript-library|Vide|data-vide-bg data-vide-options
javascript-library|mb.YTPlayer|YTPOverlay mb_YTPlayer mbYTP_
javascript-library|BigVideo.js|big-video-wrap
javascript-library|FitVids.js|fit-vids-style
javascript-library|Bootstrap Datepicker|datepicker-switch datepicker-orient- ?datepicker-days datepicker-dropdown
javascript-library|Bootstrap Multiselect|multiselect-native-select multiselect-selected-text ?multiselect-container
javascript-library|Bootstrap Table|fixed-table-toolbar ?fixed-table-container fixed-table-body fixed-table-header
javascript-library|Bootstrap TouchSpin|bootstrap-touchspin bootstrap-touchspin-
javascript-library|Bootstrap Toggle|data-onstyle data-offstyle
javascript-library|Bootstrap Slider|slider-track-low slider-track-high slider-tick-container
javascript-library|Bootstrap Colorpicker|colorpicker-saturation colorpicker-hue colorpicker-element
javascript-library|Bootstrap Material Design|bmd-form-group bmd-label-floating bmd-layout-container
javascript-library|DataTables|paginate_button
javascript-library|tablesorter|tablesorter tablesorter-header tablesorter-headerRow tablesorter-default
javascript-library|FooTable|footable footable-
javascript-library|jsTree|jstree jstree-
javascript-library|jQuery TreeView|lastCollapsable expandable-hitarea collapsable-hitarea lastExpandable
javascript-library|jQuery File Upload|fileupload-buttonbar ?fileinput-button template-upload
javascript-library|X-editable|editable-click editableform
javascript-library|FlipClock|flip-clock-
javascript-library|EasyPieChart|easyPieChart
javascript-library|jQuery Sparklines|jqstooltip jqsfield
javascript-library|MixItUp|mixitup- data-mixitup-
javascript-library|Shuffle.js|shuffle-item--visible shuffle-item--hidden
javascript-library|Justified Gallery|jg-entry-visible jg-caption
javascript-library|Glide.js|data-glide-el data-glide-dir
javascript-library|Glider.js|glider-contain glider-track
javascript-library|Flipster|flipster flipster__
javascript-library|MeanMenu|mean-expand
javascript-library|SlickNav|slicknav_
javascript-library|Ladda|ladda-label ladda-spinner ladda-button
javascript-library|SpinKit|sk-folding-cube sk-cube-grid sk-fading-circle sk-chasing-dot sk-double-bounce sk-rotating-plane sk-three-bounce sk-wandering-cubes sk-circle1
javascript-library|Loaders.css|ball-scale-multiple ball-grid-pulse ball-clip-rotate ball-pulse-sync ball-spin-fade-loader line-scale-pulse-out
javascript-library|Pace|pace-running pace-done
javascript-library|NProgress|nprogress nprogress-busy nprogress-custom-parent
javascript-library|Waves|waves-effect waves-light waves-ripple
web-framework|Materialize|materialboxed ?modal-trigger collection-item sidenav-trigger
javascript-library|Cropper.js|cropper-container cropper-crop-box cropper-face
javascript-library|Croppie|croppie-container cr-boundary cr-slider-wrap
javascript-library|jQuery Validation|data-rule-required data-msg-required data-rule-email
maps|Google Maps Platform|pac-target-input gm-style gm-style-cc
javascript-library|typeahead.js|tt-dropdown-menu tt-query
javascript-library|Prism React Renderer|prism-code ?token-line
javascript-library|SyntaxHighlighter|dp-highlighter
javascript-library|Shiki|shiki shiki-themes
javascript-library|Rouge|highlighter-rouge
maps|MapLibre GL|maplibregl-
javascript-library|Highcharts|highcharts-
javascript-library|Chart.js|chartjs-render-monitor chartjs-size-monitor
javascript-library|ApexCharts|apexcharts-
javascript-library|Chartist|ct-golden-section ct-perfect-fourth ct-series-a ct-chart-line ct-chart-bar
javascript-library|amCharts|amcharts-
video|JW Player|jw-reset jw-media jw-wrapper jw-stretch-uniform jw-state-idle
consent-management|Cookie Consent by Osano|?cc-revoke ?cc-btn cc-allow cc-banner cc-floating
consent-management|CookieConsent|cc--main cm__title pm__title
javascript-library|what-input|data-whatinput data-whatintent data-whatelement data-whatclasses
javascript-library|focus-visible|data-focus-visible-added data-js-focus-visible js-focus-visible
reviews|Okendo|data-oke-widget data-oke-star-rating data-oke-reviews-product-id oke-sr oke-w-reviews okeReviews
reviews|REVIEWS.io|ruk_rating_snippet reviewsio-carousel-widget ReviewsWidget__
e-commerce|Growave|ssw-faveiticon gw-add-to-wishlist-product-card-placeholder
reviews|Junip|junip-product-summary junip-store-key junip-product-review
personalisation|Rebuy|data-rebuy-id rebuy-widget rebuy-cart__
e-commerce|Swym|swym-button swym-add-to-wishlist
e-commerce|Smile.io|smile-shopify-init
e-commerce|LoyaltyLion|data-lion-points data-lion-account-link data-lion-rewards-list
affiliate|ReferralCandy|refcandy-
e-commerce|parcelLab|parcellab-track-and-trace
subscription-billing|Recharge|?rc_container
search|Searchanise|snize- snize_
search|Boost AI Search & Filter|boost-pfs- bc-sf-filter-
search|Klevu|klevu-fluid klevu_search_input
search|Findify|findify-content findify-widget
search|Fast Simon|isp_search_results_container fast-simon-
search|HawkSearch|hawkitemlist hawk-facet-rail hawkfacets hawktoptext
search|SLI Systems|sli_autocomplete
personalisation|Octane AI|octane-ai-quiz
maps|Stockist|data-stockist-widget-tag
maps|StoreRocket|storerocket-store-locator
payments|Zip|data-zm-merchant data-zm-widget data-zm-asset
payments|Tabby|TabbyPromo
payments|Tamara|tamara-product-widget
payments|seQura|sequra-promotion-widget
payments|PayPal|data-pp-message
payments|Moyasar|mysr-form
subscription-billing|Paddle|paddle_button
subscription-billing|FastSpring|fsc-api data-fsc-
subscription-billing|Lemon Squeezy|lemonsqueezy-button
e-commerce|Gumroad|gumroad-button
e-commerce|Payhip|payhip-buy-button
e-commerce|Snipcart|snipcart-add-item snipcart-checkout
scheduling|Bókun|bokunWidget
scheduling|Xola|xola-checkout xola-custom
scheduling|SevenRooms|sr-res-root
scheduling|Tock|Tock_widget_container
scheduling|Zenchef Formitable|ft-widget-b2
e-commerce|ChowNow|chownow-order-online
scheduling|Lodgify|lodgify-book-now-box
scheduling|Setmore|Setmore_button_iframe
scheduling|Mindbody|mindbody-widget
scheduling|OnceHub|SOIDIV_
scheduling|TidyCal|tidycal-embed
scheduling|zcal|zcal-inline-widget
forms|Poptin|pixel-script-poptin
marketing-automation|WebEngage|_webengage_script_tag
marketing-automation|Customer.io|cio-tracker
email-marketing|Sender|sender-form-field
email-marketing|EmailOctopus|emailoctopus-form-wrapper
crm|Keap|infusion-form infusion-field infusion-submit
cms|Leadpages|data-leadbox data-leadbox-popup data-leadbox-domain
forms|ConvertFlow|cf-cta-snippet
conversational-abm|Warmly|warmly-script-loader
surveys|Qualtrics|ZN_
reviews|Feefo|feefo-service-review- feefo-product-review-
customer-support|Gorgias|gorgias-chat-widget-install gorgias-chat-container gorgias-chat-widget-install-
customer-support|LiveAgent|la_x2s6df8d
customer-support|Podium|podium-widget
customer-support|Ada|__ada
customer-support|Forethought|forethought-widget-embed-script
customer-support|respond.io|respondio__widget respondio__growth_tool
ats|Workable|whr_embed_hook
ats|SmartRecruiters|srJobList srJobListJobOdd srJobListJobEven
ats|JobAdder|ja-jobs-widget
ats|Freshteam|freshteam-widget
events|Ticket Tailor|tt-widget-fallback
events|Luma|luma-checkout--button
events|pretix|pretix-widget-compat
payments|Donorbox|dbox-donation-button
payments|Blackbaud|bbox-root
crm|EveryAction|ngp-form
payments|Qgiv|qgiv-embed-container
payments|Raisely|raisely-donate
crm|Outseta|data-o-auth
session-replay|Glassbox|_cls_detector
affiliate|Post Affiliate Pro|pap_x2s6df8d
affiliate|GrowSurf|data-grsf-
affiliate|Extole|extole_zone_
social|Olapic|data-olapic
e-commerce|Zakeke|zakeke-customize-button
e-commerce|PageFly|__pf
e-commerce|Shogun|data-shogun-id shg-box shg-row
e-commerce|GemPages|gryffeditor
personalisation|Nosto|nosto_element
fraud-prevention|Signifyd|sig-api
forms|FormAssembly|wFormContainer
forms|involve.me|involveme_embed
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
    // `__next_error__` is a whole name, a bare `advads_` the beginning of none.
    const length = token.endsWith("__") ? token.length : token.length - 1;
    // The longest beginning: `sfsi_plus_` is another extension than `sfsi_`.
    let mark = whole;
    for (let at = Math.min(length, MAX_BEGINNING) - 1; at > 0 && mark === undefined; at--) {
      const code = token.charCodeAt(at);
      if (code === HYPHEN || code === UNDERSCORE) mark = marks.get(token.slice(0, at + 1));
    }
    if (mark) add(mark, token);
    const named = NAMING.test(token) ? namedIn(token, whole !== undefined, names) : undefined;
    if (named) add(named, token);
  }
  return [...found.values()];
}
