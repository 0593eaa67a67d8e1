/**
 * Libraries by what a script calls of them or sets for them. One that ends with `(` is a whole call, also after `new`; one
 * that ends with `=` a variable that is set; one that ends with `.` an object of which anything is called. `$.` means
 * `jQuery.` too. Only names that one library alone defines, by its documentation.
 */
const MARKS = `
AlloyUI|AUI(
I18n.js|I18n.locale= I18n.defaultLocale= I18n.translations=
CookieChoices|cookieChoices.
Backplane|Backplane.init( Backplane.resetCookieChannel(
Glow|gloader= gloader.load(
Newstogram|Newstogram.
HeadJS|head.js( head.load( head.ready(
yepnope.js|yepnope(
$script.js|$script( $script.ready(
LoadJS|loadjs( loadjs.ready(
fetch-inject|fetchInject(
Font Face Observer|FontFaceObserver(
Respond.js|respond.update(
CSS3 PIE|PIE.attach(
DD_belatedPNG|DD_belatedPNG.
DD_roundies|DD_roundies.
SuperSleight|supersleight.
sIFR|sIFR.
ExplorerCanvas|G_vmlCanvasManager.
FlashCanvas|FlashCanvas.
es6-promise|ES6Promise.
css-vars-ponyfill|cssVars(
Flexibility|flexibility(
objectFitPolyfill|objectFitPolyfill(
SmoothScroll polyfill|smoothscroll.polyfill(
Stickyfill|Stickyfill.
Placeholders.js|Placeholders.enable( Placeholders.disable(
Webshim|webshims.polyfill( webshim.polyfill( $.webshims.polyfill( webshims.setOptions( webshim.setOptions( $.webshims.setOptions(
H5F|H5F.setup(
Hyphenator|Hyphenator.
Hyphenopoly|Hyphenopoly.config(
CSS Browser Selector|css_browser_selector(
Detectizr|Detectizr.
Conditionizr|conditionizr( conditionizr.
Bowser|bowser.getParser( bowser.parse(
enquire.js|enquire.register( enquire.unregister(
Outdated Browser|outdatedBrowser(
Moment.js|moment.updateLocale( moment.locale( moment.utc( moment.duration( moment.lang( moment.unix(
Moment Timezone|moment.tz( moment.tz.
Day.js|dayjs( dayjs.
date-fns|dateFns.
Luxon|luxon.DateTime. luxon.Settings.
XDate|XDate(
Globalize|Globalize.
i18next|i18next.
Polyglot.js|Polyglot(
Axios|axios. axios(
SuperAgent|superagent.
Reqwest|reqwest(
RxJS|Rx.Observable. rxjs.
Bacon.js|Bacon.
Immutable.js|Immutable.fromJS( Immutable.Map( Immutable.List(
Sugar|Sugar.extend( Sugar.Date.
accounting.js|accounting.formatMoney( accounting.formatNumber( accounting.unformat(
Numeral.js|numeral( numeral.
AutoNumeric|AutoNumeric( AutoNumeric.multiple(
bignumber.js|BigNumber(
CryptoJS|CryptoJS.
jsSHA|jsSHA(
SJCL|sjcl.
JSEncrypt|JSEncrypt(
Lockr|Lockr.
AmplifyJS|amplify.store( amplify.request( amplify.publish( amplify.subscribe(
jStorage|$.jStorage.
PouchDB|PouchDB(
Dexie|Dexie(
NProgress|NProgress.
Pace|Pace.on( Pace.start( Pace.restart( Pace.stop( Pace.track( Pace.ignore( paceOptions=
topbar|topbar.config(
Mousetrap|Mousetrap.
jQuery BBQ|$.bbq. $.deparam.fragment(
jQuery Address|$.address.
History.js|History.Adapter. History.pushState( History.replaceState( History.getState(
Crossroads.js|crossroads.addRoute( crossroads.parse(
easyXDM|easyXDM.
porthole|Porthole.WindowProxy(
iFrame Resizer|iFrameResize( iframeResize( iFrameResizer=
ZeroClipboard|ZeroClipboard( ZeroClipboard.
html2canvas|html2canvas(
jsPDF|jsPDF( jspdf.
pdfmake|pdfMake.
html2pdf.js|html2pdf(
SheetJS|XLSX.utils. XLSX.read( XLSX.readFile( XLSX.writeFile( XLSX.write(
JSZip|JSZip( JSZip.
Papa Parse|Papa.parse( Papa.unparse(
QRCode.js|QRCode(
JsBarcode|JsBarcode(
Marked|marked.parse( marked.setOptions( marked.use(
markdown-it|markdownit( markdownit.
Showdown|showdown. Showdown.converter( Showdown.Converter(
DOMPurify|DOMPurify.
CamanJS|Caman(
exif-js|EXIF.getData( EXIF.getTag( EXIF.getAllTags(
Fuse.js|Fuse(
Lunr|lunr( lunr.Index. lunr.Builder(
elasticlunr.js|elasticlunr( elasticlunr.
FlexSearch|FlexSearch( FlexSearch.
MiniSearch|MiniSearch(
Simple-Jekyll-Search|SimpleJekyllSearch(
Google Code Prettify|PR.prettyPrint(
Rainbow|Rainbow.color(
SHJS|sh_highlightDocument(
highlight.js|hljs.
SyntaxHighlighter|SyntaxHighlighter.
KaTeX|renderMathInElement( katex.render(
Mermaid|mermaid.initialize( mermaid.init( mermaid.run(
GSAP|gsap. TweenMax. TweenLite. TimelineMax( TimelineLite( ScrollTrigger.create( ScrollTrigger.refresh( SplitText( Draggable.create( MorphSVGPlugin. DrawSVGPlugin. ScrollSmoother.create(
ScrollMagic|ScrollMagic.
Anime.js|anime.timeline( anime.stagger(
Velocity.js|$.Velocity.
Lottie|lottie.loadAnimation( bodymovin. lottie.setQuality( lottie.searchAnimations(
mojs|mojs.
Popmotion|popmotion.
Lenis|Lenis(
ScrollReveal|ScrollReveal( ScrollReveal.
skrollr|skrollr.init( skrollr.get(
simpleParallax|simpleParallax(
Jarallax|jarallax(
Vanilla Tilt|VanillaTilt.init(
particles.js|particlesJS( particlesJS.load(
tsParticles|tsParticles.
Vanta.js|VANTA.
Trianglify|Trianglify(
CountUp.js|CountUp( countUp.CountUp(
PureCounter|PureCounter(
Odometer|Odometer( odometerOptions=
TheaterJS|theaterJS( TheaterJS(
Splitting|Splitting(
SplitType|SplitType(
Barba.js|barba.init( barba.hooks. Barba.Pjax. Barba.Dispatcher. Barba.BaseTransition.
swup|Swup(
Highway.js|Highway.Core(
InstantClick|InstantClick.
Turbolinks|Turbolinks.
Quicklink|quicklink.listen( quicklink(
AOS|AOS.init( AOS.refresh( AOS.refreshHard(
Lozad.js|lozad(
yall.js|yall(
lazysizes|lazySizes. lazySizesConfig= lazySizesConfig.
layzr|Layzr(
Holder.js|Holder.run( Holder.addTheme(
Retina.js|retinajs(
BalanceText|balanceText(
Picturefill|picturefill(
object-fit-images|objectFitImages(
SVG for Everybody|svg4everybody(
loadCSS|loadCSS(
Colcade|Colcade(
Macy.js|Macy(
Minigrid|Minigrid(
Salvattore|salvattore.
Magic Grid|MagicGrid(
FreeWall|Freewall(
MixItUp|mixitup(
imagesLoaded|imagesLoaded(
Draggabilly|Draggabilly(
Infinite Scroll|InfiniteScroll(
Infinite Ajax Scroll|InfiniteAjaxScroll( $.ias(
Tiny Slider|tns(
Keen-Slider|KeenSlider(
Embla Carousel|EmblaCarousel(
Swiffy Slider|swiffyslider.
Blaze Slider|BlazeSlider(
A11y Slider|A11YSlider(
Lory|lory(
Flipsnap.js|Flipsnap(
SwipeView|SwipeView(
Classie|classie.add( classie.remove( classie.toggle( classie.has( classie.addClass( classie.removeClass(
Multi-Level Push Menu|mlPushMenu(
PhotoSwipe|PhotoSwipe( PhotoSwipeLightbox(
baguetteBox.js|baguetteBox.run(
BigPicture|BigPicture(
basicLightbox|basicLightbox.create(
SimpleLightbox|SimpleLightbox(
Lightbox|lightbox.option(
FsLightbox|FsLightbox( refreshFsLightbox(
Fancybox|Fancybox.bind( Fancybox.show( $.fancybox.open( $.fancybox.close( $.fancybox( $.fancybox.getInstance( $.fancybox.showActivity(
Lity|lity(
Luminous|LuminousGallery( Luminous(
medium-zoom|mediumZoom(
Spotlight|Spotlight.show(
Tobii|Tobii(
Parvus|Parvus(
Chocolat|Chocolat(
Shadowbox|Shadowbox.
Slimbox|$.slimbox( Slimbox.
Highslide|hs.expand( hs.htmlExpand( hs.addSlideshow( hs.registerOverlay( hs.graphicsDir=
ThickBox|tb_show( tb_init( tb_remove(
GreyBox|GB_show( GB_showImage( GB_showCenter( GB_showFullScreen( GB_showImageSet(
Milkbox|milkbox.
Mediabox|Mediabox.
SqueezeBox|SqueezeBox.
LightWindow|lightwindow(
ModalBox|Modalbox.show( Modalbox.hide(
LivePipe|Control.Modal( Control.Modal.open( Control.Tabs(
Facebox|$.facebox( $.facebox.
nyroModal|$.nmManual( $.nyroModalManual(
Colorbox|$.colorbox( $.colorbox.
Magnific Popup|$.magnificPopup.
prettyPhoto|$.prettyPhoto.
jQuery BlockUI|$.blockUI( $.unblockUI( $.growlUI(
jGrowl|$.jGrowl( $.jGrowl.
Gritter|$.gritter.
PNotify|PNotify( $.pnotify(
NOTY|Noty( $.noty.
Toastr|toastr.success( toastr.error( toastr.info( toastr.warning( toastr.options= toastr.clear(
Toastify JS|Toastify(
iziToast|iziToast.
Notiflix|Notiflix.
humane.js|humane.log(
AlertifyJS|alertify.
SweetAlert2|Swal.fire( Swal.mixin( swal.fire(
Bootbox.js|bootbox.
Vex|vex.dialog. vex.defaultOptions.
Micromodal|MicroModal.
tingle.js|tingle.modal(
a11y-dialog|A11yDialog(
Avgrund|Avgrund.show( Avgrund.hide(
Ouibounce|ouibounce(
Tippy.js|tippy( tippy.
Popper|Popper.createPopper( Popper(
Tether|Tether(
Opentip|Opentip(
Hopscotch|hopscotch.
Intro.js|introJs( introJs.
Shepherd|Shepherd.Tour(
EnjoyHint|EnjoyHint(
IMask|IMask(
Inputmask|Inputmask( Inputmask.
VanillaMasker|VMasker(
Tagify|Tagify(
Awesomplete|Awesomplete(
accessible-autocomplete|accessibleAutocomplete( accessibleAutocomplete.
Tribute|Tribute(
flatpickr|flatpickr( flatpickr.
Lightpick|Lightpick(
easepick|easepick.
Hotel Datepicker|HotelDatepicker(
noUiSlider|noUiSlider.create(
Switchery|Switchery(
Pickr|Pickr.create(
jscolor|jscolor.
Farbtastic|$.farbtastic(
International Telephone Input|intlTelInput( intlTelInputGlobals. intlTelInputUtils.
Parsley.js|Parsley. ParsleyConfig= ParsleyValidator.
jQuery Validation|$.validator.addMethod( $.validator.setDefaults( $.validator.format( $.validator.addClassRules( $.validator.messages.
jQuery Unobtrusive Validation|$.validator.unobtrusive.
LiveValidation|LiveValidation(
Spry|Spry.
Pristine|Pristine(
Just-validate|JustValidate(
FormValidation|FormValidation.
zxcvbn|zxcvbn(
Dropzone|Dropzone.autoDiscover= Dropzone(
FilePond|FilePond.
Plupload|plupload.
Uppy|Uppy.Core( Uppy.Uppy(
Fine Uploader|qq.FineUploader( qq.FileUploader( qq.FineUploaderBasic(
SWFUpload|SWFUpload(
tus-js-client|tus.Upload(
TinyMCE|tinymce.init( tinyMCE.init( tinyMCE. tinymce.
CKEditor|CKEDITOR. ClassicEditor.create(
NicEdit|nicEditors. nicEditor(
FCKeditor|FCKeditor(
CodeMirror|CodeMirror( CodeMirror.fromTextArea(
Ace Editor|ace.edit(
Monaco Editor|monaco.editor.
Medium Editor|MediumEditor(
Simditor|Simditor(
EasyMDE|EasyMDE(
EpicEditor|EpicEditor(
Jodit|Jodit.make( Jodit(
Editor.js|EditorJS(
SunEditor|SUNEDITOR.
SCEditor|sceditor.create(
PageDown|Markdown.Editor( Markdown.getSanitizingConverter(
TOAST UI Editor|toastui.Editor( tui.Editor(
TOAST UI Calendar|tui.Calendar(
Plyr|Plyr( Plyr.setup( plyr.setup(
Video.js|videojs( videojs. _V_(
jPlayer|jPlayerPlaylist(
Flowplayer|flowplayer( flowplayer.
SWFObject|swfobject. SWFObject(
SoundManager 2|soundManager.
howler.js|Howl( Howler.
audio.js|audiojs.
CreateJS|createjs.
hls.js|Hls.isSupported(
dash.js|dashjs.
Shaka Player|shaka.Player( shaka.polyfill.
Flv.js|flvjs.
Clappr|Clappr.
Projekktor|projekktor(
wavesurfer.js|WaveSurfer.create(
Froogaloop|Froogaloop(
DPlayer|DPlayer(
APlayer|APlayer(
ArtPlayer|Artplayer(
OpenPlayerJS|OpenPlayerJS(
Green Audio Player|GreenAudioPlayer( GreenAudioPlayer.init(
AC_RunActiveContent|AC_FL_RunContent(
Highcharts|Highcharts.
amCharts|AmCharts. am4core. am5. am4charts.
Apache ECharts|echarts.init(
Morris.js|Morris.Line( Morris.Bar( Morris.Donut( Morris.Area(
Chartist|Chartist.
C3.js|c3.generate(
billboard.js|bb.generate(
NVD3|nv.addGraph( nv.models.
Plotly.js|Plotly.
Flot|$.plot(
jqPlot|$.jqplot( $.jqplot.
Rickshaw|Rickshaw.
dygraphs|Dygraph(
Vega-Embed|vegaEmbed(
Raphaël|Raphael( Raphael.
vis.js|vis.Network( vis.DataSet( vis.Timeline(
Cytoscape.js|cytoscape(
JustGage|JustGage(
ProgressBar.js|ProgressBar.Circle( ProgressBar.Line( ProgressBar.SemiCircle( ProgressBar.Path(
CanvasJS|CanvasJS.
FusionCharts|FusionCharts( FusionCharts.
ZingChart|zingchart.
AnyChart|anychart.
Lightweight Charts|LightweightCharts.
uPlot|uPlot(
Frappe Charts|frappe.Chart(
TauCharts|tauCharts. Taucharts.
roughViz|roughViz.
DataTables|DataTable( $.fn.dataTable. $.fn.DataTable.
AG Grid|agGrid.
Grid.js|gridjs.
Simple-DataTables|simpleDatatables.
Treant.js|Treant(
jsPlumb|jsPlumb.
Leaflet|L.map( L.tileLayer( L.geoJSON( L.geoJson( L.marker( L.divIcon( L.latLngBounds( L.control.layers(
Leaflet.markercluster|L.markerClusterGroup( L.MarkerClusterGroup(
OpenLayers|OpenLayers. ol.Map( ol.layer. ol.source. ol.proj.
Mapbox GL JS|mapboxgl.
MapLibre GL|maplibregl.
MarkerClusterer|markerClusterer.MarkerClusterer(
CesiumJS|Cesium.
Three.js|THREE.
Babylon.js|BABYLON.
PixiJS|PIXI.
Phaser|Phaser.
Paper.js|paper.setup( paper.install(
Fabric.js|fabric.Canvas( fabric.StaticCanvas(
Konva|Konva.
KineticJS|Kinetic.
Zdog|Zdog.
Matter.js|Matter.Engine. Matter.Bodies.
A-Frame|AFRAME.
Pannellum|pannellum.
Marzipano|Marzipano.
Photo Sphere Viewer|PhotoSphereViewer( PhotoSphereViewer.
Panolens.js|PANOLENS.
OpenSeadragon|OpenSeadragon( OpenSeadragon.
Datamaps|Datamap(
TopoJSON|topojson.
Turf.js|turf.
Proj4js|proj4( proj4.defs(
svgMap|svgMap(
svg-pan-zoom|svgPanZoom(
jVectorMap|jvm.Map(
jsVectorMap|jsVectorMap(
Backbone.js|Backbone.
Marionette.js|Marionette. Backbone.Marionette.
Knockout|ko.applyBindings( ko.observable( ko.observableArray( ko.computed(
Alpine.js|Alpine.data( Alpine.store( Alpine.start( Alpine.plugin(
htmx|htmx.
Unpoly|up.compiler(
Riot.js|riot.mount( riot.tag(
Ractive.js|Ractive(
Rivets.js|rivets.bind(
CanJS|can.Control( can.Model( can.Component(
Handlebars|Handlebars.
Mustache|Mustache.render( Mustache.to_html( Mustache.parse(
Hogan.js|Hogan.compile( Hogan.Template(
doT|doT.template(
Dust.js|dust.render( dust.loadSource(
Nunjucks|nunjucks.
JsRender|$.templates(
Twig.js|Twig.twig(
Sammy.js|$.sammy(
MooTools|Fx.Slide( Fx.Tween( Fx.Morph( Fx.Accordion( Fx.SmoothScroll( Fx.Styles( Fx.Elements( Fx.Style( Request.HTML( Request.JSON( Element.implement(
Prototype|Ajax.Request( Ajax.Updater( Ajax.PeriodicalUpdater( Event.observe(
script.aculo.us|Effect.Appear( Effect.Fade( Effect.BlindDown( Effect.BlindUp( Effect.SlideDown( Effect.SlideUp( Effect.ScrollTo( Effect.Morph( Effect.Opacity( Effect.Move( Ajax.Autocompleter( Ajax.InPlaceEditor(
Dojo|dojo. dijit.byId(
YUI|YUI( YAHOO.util. YAHOO.widget. YAHOO.lang. YAHOO.env.
Ext JS|Ext.onReady( Ext.create( Ext.application( Ext.define( Ext.get( Ext.BLANK_IMAGE_URL=
Zepto|Zepto(
Socket.IO|io.connect(
SignalR|$.connection.hub. signalR.HubConnectionBuilder(
SockJS|SockJS(
STOMP|Stomp.over( Stomp.client(
Faye|Faye.Client(
jQuery UI|$.datepicker.setDefaults( $.datepicker.formatDate( $.datepicker.regional=
jQuery Mobile|$.mobile.changePage( $.mobile.loading( $.mobile.navigate( $.mobile.ajaxEnabled=
jquery.cookie|$.cookie( $.removeCookie(
jQuery.scrollTo|$.scrollTo(
jQuery LocalScroll|$.localScroll(
jQuery throttle/debounce|$.throttle(
Stellar.js|$.stellar(
Waypoints|Waypoint( Waypoint.refreshAll( $.waypoints(
Vegas|$.vegas(
Backstretch|$.backstretch(
Swipebox|$.swipebox(
timeago|$.timeago( $.timeago.
jQuery JSON|$.toJSON( $.evalJSON( $.secureEvalJSON(
jQuery Base64|$.base64.
jQuery Idle Timer|$.idleTimer(
jQuery File Download|$.fileDownload(
jQuery Templates|$.tmpl(
X-editable|$.fn.editable.
jsTree|$.jstree.
jQuery Mask Plugin|$.jMaskGlobals. $.applyDataMask(
jQuery Masked Input|$.mask.
ajaxChimp|$.ajaxChimp.
cookieBAR|$.cookieBar(
cookieCuttr|$.cookieCuttr(
CookiesDirective|$.cookiesDirective(
Zebra Dialog|$.Zebra_Dialog(
Lazy Load XT|$.lazyLoadXT.
jQuery Smart Banner|$.smartbanner(
AmaranJS|$.amaran(
jQuery Preload Images|$.imgpreload(
jQuery Scroll Depth|$.scrollDepth( gascrolldepth.
Riveted|riveted.init(
TimeMe.js|TimeMe.initialize( TimeMe.
FingerprintJS|Fingerprint2.get( FingerprintJS.load( Fingerprint2(
ClientJS|ClientJS(
Evercookie|evercookie(
web-vitals|webVitals.
Perfume.js|Perfume(
tarteaucitron.js|tarteaucitron.init(
GlowCookies|glowCookies.start(
Konami|Konami(
Snowstorm|snowStorm.
Twemoji|twemoji.parse(
EmojiOne|emojione.
Linkify|linkifyHtml( linkifyStr( linkifyElement(
Autolinker.js|Autolinker.link( Autolinker(
Autosize|autosize(
Gumshoe|Gumshoe( gumshoe.init(
Scrollama|scrollama(
Zenscroll|zenscroll.
FixTo|fixto.addTo(
Stickybits|stickybits(
basicScroll|basicScroll.create(
ScrollOut|ScrollOut(
scrollMonitor|scrollMonitor.create(
in-view.js|inView.offset( inView.threshold(
luxy.js|luxy.init(
Smooth Scrollbar|Scrollbar.init( Scrollbar.initAll(
OverlayScrollbars|OverlayScrollbars( OverlayScrollbarsGlobal.
ASScroll|ASScroll(
Nice Select2|NiceSelect.bind(
handorgel|handorgel(
Dragula|dragula(
Hammer.js|Hammer( Hammer.Manager( Hammer.Swipe(
SVGInjector|SVGInjector(
Snap.svg|Snap.load( Snap.path.
FullCalendar|FullCalendar.Calendar(
DayPilot|DayPilot.
Telerik and Kendo UI|kendo.ui. kendo.bind( kendo.culture( kendo.data. kendo.init(
Webix|webix.ui( webix.ready(
DevExtreme|DevExpress.ui. DevExpress.localization. DevExpress.data.
qooxdoo|qx.Class.define(
PrimeFaces|PrimeFaces.
Telerik UI for ASP.NET AJAX|$telerik. Telerik.Web.UI.
SortableJS|Sortable.create(
JuxtaposeJS|juxtapose.JXSlider( juxtapose.scanPage(
TimelineJS|TL.Timeline( VMM.Timeline( createStoryJS(
Pym.js|pym.Parent( pym.Child(
D3|d3.select( d3.selectAll( d3.csv( d3.json( d3.scale. d3.geo. d3.scaleLinear(
Crossfilter|crossfilter(
dc.js|dc.barChart( dc.renderAll( dc.pieChart( dc.rowChart(
Tabletop.js|Tabletop.init(
Sheetrock|sheetrock(
Miso Dataset|Miso.Dataset(
Cufón|Cufon.
Typeface.js|_typeface_js.
Modernizr|Modernizr.
FastClick|FastClick.
Web Font Loader|WebFont.load( WebFontConfig=
RequireJS|requirejs.config( require.config( requirejs.
LABjs|$LAB.
SystemJS|System.config( SystemJS.
JavaScript Cookie|Cookies.withConverter( Cookies.noConflict(
store.js|store.addPlugin(
localForage|localforage.
Postscribe|postscribe(
writeCapture|writeCapture( $.writeCapture.
Instafeed.js|Instafeed(
Shariff|Shariff(
Ladda|Ladda.bind( Ladda.create( Ladda.stopAll(
Headroom.js|Headroom(
Isotope|Isotope(
Masonry|Masonry(
Froala Editor|FroalaEditor(
Summernote|$.summernote.
Tabulator|Tabulator(
Vidstack|VidstackPlayer.create(
SimpleMaps|simplemaps_worldmap. simplemaps_usmap. simplemaps_countrymap.
SpriteSpin|SpriteSpin.
Ruffle|RufflePlayer.newest( RufflePlayer=
VexFlow|VexFlow. Vex.Flow.
Tone.js|Tone.Transport. Tone.Synth(
abcjs|ABCJS.
PDF.js|pdfjsLib. PDFJS.getDocument( PDFJS.workerSrc=
PDFObject|PDFObject.embed( PDFObject(
TagCanvas|TagCanvas.
d3-cloud|d3.layout.cloud(
Wordcloud2.js|WordCloud(
Spectrum|$.spectrum.
Bootstrap|bootstrap.Modal( bootstrap.Tooltip( bootstrap.Popover( bootstrap.Carousel( bootstrap.Offcanvas( bootstrap.Collapse( bootstrap.Dropdown( bootstrap.Toast( bootstrap.Modal. bootstrap.Tooltip. bootstrap.Offcanvas. bootstrap.Collapse. bootstrap.Carousel.
Foundation|Foundation.reInit( Foundation.MediaQuery. Foundation.Reveal( Foundation.addToJquery(
UIkit|UIkit.
Materialize|M.AutoInit( M.Sidenav. M.Modal. M.FormSelect. M.toast( Materialize.toast( Materialize.updateTextFields(
Material Design Lite|componentHandler.upgradeDom( componentHandler.upgradeElement( componentHandler.register( componentHandler.upgradeAllRegistered(
Framework7|Framework7(
Onsen UI|ons.ready( ons.bootstrap(
Vuetify|Vuetify( Vuetify.createVuetify(
Livewire|Livewire.emit( Livewire.on( Livewire.dispatch( Livewire.hook(
Ember.js|Ember.Application. Ember.Handlebars. Ember.Route.
Blazor|Blazor.start(
RichFaces|A4J.AJAX. RichFaces.
ASP.NET|Sys.WebForms.PageRequestManager.
Lucide|lucide.createIcons(
Tailwind CSS|tailwind.config=
Vite.js|__vite_is_modern_browser= __vite_plugin_react_preamble_installed__=
Apache Wicket|Wicket.Ajax. Wicket.Event.
Jakarta Faces|jsf.ajax. mojarra.
Preact|preact.render( preact.hydrate( preact.h(
AngularJS|angular.bootstrap( angular.element(
Ziggy|Ziggy=
Vue I18n|VueI18n( VueI18n.createI18n(
Muscula|Muscula=
Google Cloud Error Reporting|StackdriverErrorReporter(
`;

const libraries = new Map<string, string>();
/** One byte for each pair of characters with which a mark begins. */
const beginnings = new Uint8Array(1 << 14);
for (const line of MARKS.trim().split("\n")) {
  const [name = "", marks = ""] = line.split("|");
  for (const mark of marks.split(" ")) {
    libraries.set(mark, name);
    beginnings[(mark.charCodeAt(0) << 7) | mark.charCodeAt(1)] = 1;
  }
}
// `jQuery.noty(` is looked up as `$.noty(`.
beginnings[("j".charCodeAt(0) << 7) | "Q".charCodeAt(0)] = 1;

/** The library of every mark, for tests. */
export const CALL_MARKS: ReadonlyMap<string, string> = libraries;

/** Whether a path that begins with these two characters may be a mark: most are not even cut out. */
export const mayBeginMark = (first: number, second: number): boolean =>
  first < 128 && second < 128 && beginnings[(first << 7) | second] === 1;

/** @param path with what ends it: `Hyphenator.run(`, `WebFontConfig=` */
export function libraryOfCall(path: string): string | undefined {
  const called = path.startsWith("jQuery.") ? `$.${path.slice(7)}` : path;
  const whole = libraries.get(called);
  if (whole !== undefined || !called.endsWith("(")) return whole;
  for (let dot = called.indexOf("."); dot >= 0; dot = called.indexOf(".", dot + 1)) {
    const name = libraries.get(called.slice(0, dot + 1));
    if (name !== undefined) return name;
  }
  return undefined;
}
